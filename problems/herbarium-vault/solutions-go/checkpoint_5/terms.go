package main

import (
	"encoding/json"
	"strings"
)

// term is the text or whole number at the path of a value, if there is one.
func term(value, path string) (string, bool) {
	if !strings.HasPrefix(strings.TrimLeft(value, " "), "{") {
		return "", false
	}
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber()
	var found any
	if !json.Valid([]byte(value)) || decoder.Decode(&found) != nil {
		return "", false
	}
	for _, name := range strings.Split(path, ".") {
		object, ok := found.(map[string]any)
		if !ok {
			return "", false
		}
		found = object[name]
	}
	switch found := found.(type) {
	case string:
		return found, true
	case json.Number:
		return found.String(), !strings.ContainsAny(found.String(), ".eE")
	}
	return "", false
}

// Index knows, for a path, which keys ever had a term.
type Index struct {
	path string
	keys map[string]map[string]bool
}

func newIndex(path string, versions *Versions) *Index {
	index := &Index{path: path, keys: map[string]map[string]bool{}}
	for _, changes := range versions.changes {
		for _, change := range changes {
			index.add(change)
		}
	}
	return index
}

func (i *Index) add(change Change) {
	found, ok := term(change.value, i.path)
	if !ok {
		return
	}
	if i.keys[found] == nil {
		i.keys[found] = map[string]bool{}
	}
	i.keys[found][change.key] = true
}

// find gives the records of a view that have the term, in key order. The keys that the index may
// not know are looked at, too.
func (i *Index) find(view View, wanted string, unknown []string) []Record {
	candidates := newKeySet()
	for key := range i.keys[wanted] {
		candidates.add(key)
	}
	for _, key := range unknown {
		candidates.add(key)
	}
	var records []Record
	for _, key := range candidates.inOrder() {
		value, ok := view.value(key)
		if !ok {
			continue
		}
		if found, ok := term(value, i.path); ok && found == wanted {
			records = append(records, Record{key, value})
		}
	}
	return records
}
