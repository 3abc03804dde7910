package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Entry is a request that changed something.
type Entry struct {
	Method string
	Path   string
	Body   string
}

// Journal is a file with one entry on each line, which are done again at the start.
type Journal struct{ file *os.File }

// openJournal gives all whole entries, too, and removes what a kill has cut off at the end.
func openJournal(folder string) (*Journal, []Entry, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	path := filepath.Join(folder, "journal.jsonl")
	content, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	entries, err := readEntries(whole)
	if err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, nil, err
	}
	return &Journal{file}, entries, file.Truncate(int64(len(whole)))
}

func readEntries(content []byte) ([]Entry, error) {
	var entries []Entry
	decoder := json.NewDecoder(bytes.NewReader(content))
	for decoder.More() {
		var entry Entry
		if err := decoder.Decode(&entry); err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func (j *Journal) add(entry Entry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}
