package main

import (
	"fmt"
	"regexp"
	"sort"
)

// noteKind is a kind of entry that makes or drops something that has a name, and no record.
type noteKind struct {
	makes, drops string // the words of the entries
	form         *regexp.Regexp
	called       string // in messages about its form
	twice        string // what is told of making what is there
	dropped      string // what is told of dropping it
}

var (
	marks = noteKind{
		makes:   "mark",
		drops:   "unmark",
		form:    regexp.MustCompile(`^[a-z0-9-]{1,32}$`),
		called:  "mark",
		twice:   "already marked",
		dropped: "unmarked",
	}
	indexes = noteKind{
		makes:   "index",
		drops:   "unindex",
		form:    regexp.MustCompile(`^[A-Za-z0-9_]{1,32}(?:\.[A-Za-z0-9_]{1,32}){0,3}$`),
		called:  "path",
		twice:   "already indexed",
		dropped: "unindexed",
	}
)

func (k noteKind) check(name string) error {
	if !k.form.MatchString(name) {
		return fmt.Errorf("bad %s '%s'", k.called, name)
	}
	return nil
}

// missing is the refusal where there is nothing of that name.
func (k noteKind) missing(name string) error { return fmt.Errorf("no %s %s", k.makes, name) }

// Catalog knows the marks and indexes that are there, with the versions that made them.
type Catalog map[string]map[string]int

func newCatalog() Catalog { return Catalog{marks.makes: {}, indexes.makes: {}} }

// take notes what an entry makes or drops, and tells whether it does so.
func (c Catalog) take(entry Entry) bool {
	for _, kind := range []noteKind{marks, indexes} {
		if kind.check(entry.rest) != nil {
			continue
		}
		switch entry.word {
		case kind.makes:
			c[kind.makes][entry.rest] = entry.sequence
			return true
		case kind.drops:
			delete(c[kind.makes], entry.rest)
			return true
		}
	}
	return false
}

func (c Catalog) has(kind noteKind, name string) bool {
	_, ok := c[kind.makes][name]
	return ok
}

// names are those of a kind, in the order of their bytes.
func (c Catalog) names(kind noteKind) []string {
	var names []string
	for name := range c[kind.makes] {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// entries are those that made what is there.
func (c Catalog) entries() []Entry {
	var entries []Entry
	for word, made := range c {
		for name, sequence := range made {
			entries = append(entries, Entry{sequence: sequence, word: word, rest: name})
		}
	}
	return entries
}
