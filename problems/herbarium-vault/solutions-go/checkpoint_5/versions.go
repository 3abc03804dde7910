package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
)

var versionForm = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,8})$`)

func readVersion(text string) (int, error) {
	if !versionForm.MatchString(text) {
		return 0, fmt.Errorf("bad version '%s'", text)
	}
	return strconv.Atoi(text)
}

// Versions are all changes of a store, by key.
type Versions struct {
	last    int                 // sequence number
	changes map[string][]Change // of each key in their order
	known   *KeySet
}

func newVersions() *Versions {
	return &Versions{changes: map[string][]Change{}, known: newKeySet()}
}

// versionsOf is the changes of a log whose last version is given.
func versionsOf(changes []Change, last int) *Versions {
	versions := newVersions()
	for _, change := range changes {
		versions.add(change)
	}
	versions.last = last
	return versions
}

func (v *Versions) add(change Change) {
	v.last = change.sequence
	v.changes[change.key] = append(v.changes[change.key], change)
	v.known.add(change.key)
}

// at is the store as it was at a version.
func (v *Versions) at(number int) View { return snapshot{v, number} }

func (v *Versions) latest() View { return v.at(v.last) }

// newest is the newest change of a key up to a version.
func (v *Versions) newest(key string, number int) (Change, bool) {
	changes := v.changes[key]
	after := sort.Search(len(changes), func(at int) bool { return changes[at].sequence > number })
	if after == 0 {
		return Change{}, false
	}
	return changes[after-1], true
}

// snapshot is one version.
type snapshot struct {
	versions *Versions
	number   int
}

func (s snapshot) value(key string) (string, bool) {
	change, ok := s.versions.newest(key, s.number)
	return change.value, ok && !change.deleted
}

func (s snapshot) keys() []string { return s.versions.known.inOrder() }

// differences are the changes that make one view another, in key order, without numbers.
func differences(from, to View, keys []string) []Change {
	var changes []Change
	for _, key := range keys {
		before, was := from.value(key)
		after, is := to.value(key)
		if was != is || before != after {
			changes = append(changes, Change{key: key, value: after, deleted: !is})
		}
	}
	return changes
}
