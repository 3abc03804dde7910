package main

// LogStore keeps records in a log, to which each change is appended.
type LogStore struct {
	log      *Log
	versions *Versions
}

func newLogStore(log *Log, reading *Reading) *LogStore {
	store := &LogStore{log: log, versions: newVersions()}
	for _, change := range reading.changes {
		store.versions.add(change)
	}
	return store
}

func (s *LogStore) value(key string) (string, bool) { return s.versions.latest().value(key) }

func (s *LogStore) keys() []string { return s.versions.latest().keys() }

func (s *LogStore) put(key, value string) error {
	return s.change(Change{key: key, value: value})
}

func (s *LogStore) remove(key string) error {
	return s.change(Change{key: key, deleted: true})
}

// change appends first, so that nothing counts that is not in the file.
func (s *LogStore) change(change Change) error {
	change.sequence = s.versions.last + 1
	if err := s.log.append([]string{change.payload()}); err != nil {
		return err
	}
	s.versions.add(change)
	return nil
}

// at is a version that can be read.
func (s *LogStore) at(number int) (View, error) {
	if err := s.versions.check(number); err != nil {
		return nil, err
	}
	return s.versions.at(number), nil
}
