package main

import (
	"fmt"
	"sort"
)

// LogStore keeps records in a log, to which each change is appended.
type LogStore struct {
	log      *Log
	versions *Versions
	catalog  Catalog
	base     int                   // the version of the last compaction, or 0
	open     map[*Transaction]bool // transactions that have not ended
	built    map[string]*Index     // by path; those that were needed
}

func newLogStore(log *Log, reading *Reading) *LogStore {
	return &LogStore{
		log:      log,
		versions: versionsOf(reading.changes, reading.lastVersion()),
		catalog:  reading.catalog,
		base:     reading.base,
		open:     map[*Transaction]bool{},
		built:    map[string]*Index{},
	}
}

func (s *LogStore) value(key string) (string, bool) { return s.versions.latest().value(key) }

func (s *LogStore) keys() []string { return s.versions.latest().keys() }

func (s *LogStore) name(string) {}

// change appends first, so that nothing counts that is not in the file.
func (s *LogStore) change(changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	numbered := make([]Change, len(changes))
	for at, change := range changes {
		change.sequence = s.versions.last + 1
		numbered[at] = change
	}
	if err := s.log.append(versionPayloads(numbered)); err != nil {
		return err
	}
	for _, change := range numbered {
		s.versions.add(change)
		for _, index := range s.built {
			index.add(change)
		}
	}
	return nil
}

// note appends an entry that makes or drops a mark or an index, and gives its version.
func (s *LogStore) note(word, name string) (int, error) {
	entry := Entry{sequence: s.versions.last + 1, word: word, rest: name}
	if err := s.log.append([]string{entry.payload()}); err != nil {
		return 0, err
	}
	s.versions.last = entry.sequence
	s.catalog.take(entry)
	return entry.sequence, nil
}

// at is a version that can be read.
func (s *LogStore) at(number int) (View, error) {
	if number > s.versions.last {
		return nil, fmt.Errorf("version %d is in the future", number)
	}
	if number < s.base && !s.isNeeded(number) {
		return nil, fmt.Errorf("version %d is compacted", number)
	}
	return s.versions.at(number), nil
}

func (s *LogStore) isNeeded(number int) bool {
	for _, needed := range s.needed() {
		if needed == number {
			return true
		}
	}
	return false
}

// needed are the versions that stay readable, in ascending order.
func (s *LogStore) needed() []int {
	numbers := []int{s.versions.last}
	for _, number := range s.catalog[marks.makes] {
		numbers = append(numbers, number)
	}
	for transaction := range s.open {
		numbers = append(numbers, transaction.begunAt)
	}
	sort.Ints(numbers)
	return numbers
}

// compact writes the log anew with only what is needed.
func (s *LogStore) compact() (Compaction, error) {
	left := s.versions.compact(s.needed(), len(s.open) > 0)
	last := s.versions.last
	if err := s.log.create(compactedPayloads(last, left.kept, s.catalog.entries())); err != nil {
		return left, err
	}
	s.base = last
	s.versions = versionsOf(left.kept, last)
	s.built = map[string]*Index{}
	return left, nil
}

// index is the one on a path, which must be there.
func (s *LogStore) index(path string) (*Index, error) {
	if !s.catalog.has(indexes, path) {
		return nil, indexes.missing(path)
	}
	if s.built[path] == nil {
		s.built[path] = newIndex(path, s.versions)
	}
	return s.built[path], nil
}
