package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const plainName = "records.json"

// PlainStore keeps records in one file, which is written anew at each change.
type PlainStore struct {
	path    string
	records map[string]string
	known   *KeySet
}

func openPlain(folder string) (*PlainStore, error) {
	store := &PlainStore{
		path:    filepath.Join(folder, plainName),
		records: map[string]string{},
		known:   newKeySet(),
	}
	text, err := os.ReadFile(store.path)
	if errors.Is(err, fs.ErrNotExist) {
		return store, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read %s", plainName)
	}
	if err := json.Unmarshal(text, &store.records); err != nil {
		return nil, fmt.Errorf("%s is damaged", plainName)
	}
	for key := range store.records {
		store.known.add(key)
	}
	return store, nil
}

func (s *PlainStore) value(key string) (string, bool) {
	value, ok := s.records[key]
	return value, ok
}

func (s *PlainStore) keys() []string { return s.known.inOrder() }

func (s *PlainStore) put(key, value string) error {
	s.records[key] = value
	s.known.add(key)
	return s.save()
}

func (s *PlainStore) remove(key string) error {
	delete(s.records, key)
	return s.save()
}

// discard removes the file, if there is one.
func (s *PlainStore) discard() error {
	err := os.Remove(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// save writes beside the file first, so that an interrupted run leaves the old state.
func (s *PlainStore) save() error {
	text, err := json.Marshal(s.records)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return err
	}
	fresh := s.path + ".new"
	if err := os.WriteFile(fresh, text, 0o666); err != nil {
		return err
	}
	return os.Rename(fresh, s.path)
}
