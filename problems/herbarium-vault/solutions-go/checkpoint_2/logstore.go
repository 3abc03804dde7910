package main

// LogStore keeps records in a log, to which each change is appended.
type LogStore struct {
	log     *Log
	last    int // sequence number
	records map[string]string
	known   *KeySet
}

func newLogStore(log *Log, reading *Reading) *LogStore {
	store := &LogStore{log: log, records: map[string]string{}, known: newKeySet()}
	for _, change := range reading.changes {
		store.take(change)
	}
	return store
}

func (s *LogStore) take(change Change) {
	s.last = change.sequence
	if change.deleted {
		delete(s.records, change.key)
		return
	}
	s.records[change.key] = change.value
	s.known.add(change.key)
}

func (s *LogStore) value(key string) (string, bool) {
	value, ok := s.records[key]
	return value, ok
}

func (s *LogStore) keys() []string { return s.known.inOrder() }

func (s *LogStore) put(key, value string) error {
	return s.change(Change{key: key, value: value})
}

func (s *LogStore) remove(key string) error {
	return s.change(Change{key: key, deleted: true})
}

// change appends first, so that nothing counts that is not in the file.
func (s *LogStore) change(change Change) error {
	change.sequence = s.last + 1
	if err := s.log.append([]string{change.payload()}); err != nil {
		return err
	}
	s.take(change)
	return nil
}
