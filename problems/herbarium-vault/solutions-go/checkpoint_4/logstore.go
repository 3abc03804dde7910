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
	}
	return nil
}

// at is a version that can be read.
func (s *LogStore) at(number int) (View, error) {
	if err := s.versions.check(number); err != nil {
		return nil, err
	}
	return s.versions.at(number), nil
}
