package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Store is the state, which is kept in a journal with one line for each request that changed it.
// Until the line is written, all changes of a request can be taken back.
type Store struct {
	*State
	file    *os.File
	pending []Entry
	undos   []func()
}

func openStore(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "journal.jsonl")
	content, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	// A line that a kill has cut off does not count.
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	store := &Store{State: newState()}
	if err := store.replay(whole); err != nil {
		return nil, err
	}
	store.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return store, store.file.Truncate(int64(len(whole)))
}

func (s *Store) replay(content []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	for decoder.More() {
		var entries []Entry
		if err := decoder.Decode(&entries); err != nil {
			return err
		}
		for _, entry := range entries {
			s.apply(entry)
		}
	}
	return nil
}

func (s *Store) put(entry Entry) {
	s.undos = append(s.undos, s.apply(entry))
	s.pending = append(s.pending, entry)
}

// commit keeps all that was put, or nothing of it.
func (s *Store) commit() error {
	if len(s.pending) == 0 {
		return nil
	}
	line, err := json.Marshal(s.pending)
	if err != nil {
		return err
	}
	s.pending, s.undos = nil, nil
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// rollBack takes back all that was put since the last commit.
func (s *Store) rollBack() {
	for at := len(s.undos) - 1; at >= 0; at-- {
		s.undos[at]()
	}
	s.pending, s.undos = nil, nil
}
