package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// View is a content of the store that can be looked at.
type View interface {
	// value gives the value of a record, if there is one.
	value(key string) (string, bool)
	// keys gives at least the keys of all records, in key order.
	keys() []string
}

// Record is a key with its value.
type Record struct {
	key   string
	value string
}

func (r Record) line() string { return r.key + "\t" + r.value }

// recordLines are the lines of a scan.
func recordLines(records []Record) []string {
	lines := make([]string, 0, len(records)+1)
	for _, record := range records {
		lines = append(lines, record.line())
	}
	return append(lines, countLine(len(records)))
}

func countLine(records int) string { return fmt.Sprintf("records: %d", records) }

// unlimited is the limit of a selection without one.
const unlimited = 0

// Selection chooses records. An empty bound is none.
type Selection struct {
	prefix  string
	from    string
	to      string
	limit   int
	reverse bool
}

func readSelection(words Words) (Selection, error) {
	chosen := Selection{
		prefix:  words.options["--prefix"],
		from:    words.options["--from"],
		to:      words.options["--to"],
		reverse: words.has("--reverse"),
	}
	if err := chosen.check(words); err != nil {
		return chosen, err
	}
	limit, err := optionalLimit(words)
	chosen.limit = limit
	return chosen, err
}

func optionalLimit(words Words) (int, error) {
	if !words.has("--limit") {
		return unlimited, nil
	}
	return readLimit(words.options["--limit"])
}

// check looks at the forms of all but the limit.
func (s Selection) check(words Words) error {
	if words.has("--prefix") {
		if err := checkPrefix(s.prefix); err != nil {
			return err
		}
	}
	for _, bound := range []string{"--from", "--to"} {
		if !words.has(bound) {
			continue
		}
		if err := checkKey(words.options[bound]); err != nil {
			return err
		}
	}
	if words.has("--from") && words.has("--to") && s.from > s.to {
		return errors.New("bad range")
	}
	return nil
}

// choose gives the chosen records of a view, in the order in which they are printed.
func (s Selection) choose(view View) []Record {
	keys := s.within(view.keys())
	var records []Record
	for at := range keys {
		if s.limit != unlimited && len(records) == s.limit {
			break
		}
		key := keys[at]
		if s.reverse {
			key = keys[len(keys)-1-at]
		}
		if value, ok := view.value(key); ok && strings.HasPrefix(key, s.prefix) {
			records = append(records, Record{key, value})
		}
	}
	return records
}

// within cuts sorted keys to the bounds.
func (s Selection) within(keys []string) []string {
	first := sort.SearchStrings(keys, s.from)
	last := len(keys)
	if s.to != "" {
		last = sort.SearchStrings(keys, s.to)
	}
	if first > last {
		return nil
	}
	return keys[first:last]
}

// KeySet is a set of keys that can be gone through in key order.
type KeySet struct {
	known  map[string]bool
	list   []string
	sorted bool
}

func newKeySet() *KeySet { return &KeySet{known: map[string]bool{}} }

func (s *KeySet) add(key string) {
	if !s.known[key] {
		s.known[key] = true
		s.list = append(s.list, key)
		s.sorted = false
	}
}

func (s *KeySet) inOrder() []string {
	if !s.sorted {
		sort.Strings(s.list)
		s.sorted = true
	}
	return s.list
}
