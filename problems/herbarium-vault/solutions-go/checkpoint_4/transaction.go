package main

import (
	"fmt"
	"sort"
)

// Transaction is a version with changes that nobody else sees yet.
type Transaction struct {
	store   *LogStore
	begunAt int
	changes map[string]Change // the last one of each key
	named   map[string]bool   // keys that it depends on
}

func newTransaction(store *LogStore) *Transaction {
	return &Transaction{
		store:   store,
		begunAt: store.versions.last,
		changes: map[string]Change{},
		named:   map[string]bool{},
	}
}

func (t *Transaction) base() View { return t.store.versions.at(t.begunAt) }

func (t *Transaction) value(key string) (string, bool) {
	if change, ok := t.changes[key]; ok {
		return change.value, !change.deleted
	}
	return t.base().value(key)
}

func (t *Transaction) keys() []string {
	all := newKeySet()
	for _, key := range t.base().keys() {
		all.add(key)
	}
	for key := range t.changes {
		all.add(key)
	}
	return all.inOrder()
}

func (t *Transaction) name(key string) { t.named[key] = true }

func (t *Transaction) change(changes []Change) error {
	for _, change := range changes {
		t.name(change.key)
		t.changes[change.key] = change
	}
	return nil
}

// commit makes the changes one new version, and tells whether there were any.
func (t *Transaction) commit() (bool, error) {
	changes := t.net()
	if len(changes) == 0 {
		return false, nil
	}
	if key, ok := t.conflict(); ok {
		return false, fmt.Errorf("conflict on %s", key)
	}
	return true, t.store.change(changes)
}

// net is what counts in the end, in key order.
func (t *Transaction) net() []Change {
	var changes []Change
	for key, change := range t.changes {
		if _, was := t.base().value(key); was || !change.deleted {
			changes = append(changes, change)
		}
	}
	sort.Slice(changes, func(i, j int) bool { return changes[i].key < changes[j].key })
	return changes
}

// conflict is the first key in key order that the transaction depends on and others have changed.
func (t *Transaction) conflict() (string, bool) {
	first, found := "", false
	for key := range t.named {
		newest, ok := t.store.versions.newest(key, t.store.versions.last)
		if ok && newest.sequence > t.begunAt && (!found || key < first) {
			first, found = key, true
		}
	}
	return first, found
}
