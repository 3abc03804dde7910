package main

import (
	"errors"
	"fmt"
	"os"
)

// Store is where records are kept.
type Store interface {
	View
	put(key, value string) error
	remove(key string) error
}

var (
	errNotALog    = errors.New("not a log")
	errAlreadyLog = errors.New("already a log")
)

// Folder holds a store in one of two forms, which is opened when it is first needed.
type Folder struct {
	path   string
	log    *Log
	opened Store
}

func openFolder(path string) (*Folder, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", path)
	}
	return &Folder{path: path, log: logIn(path)}, nil
}

func (f *Folder) store() (Store, error) {
	if f.opened != nil {
		return f.opened, nil
	}
	store, err := f.open()
	if err != nil {
		return nil, err
	}
	f.opened = store
	return store, nil
}

// logStore is the store, which must be a log.
func (f *Folder) logStore() (*LogStore, error) {
	store, err := f.store()
	if err != nil {
		return nil, err
	}
	log, ok := store.(*LogStore)
	if !ok {
		return nil, errNotALog
	}
	return log, nil
}

func (f *Folder) open() (Store, error) {
	if !f.log.exists() {
		return openPlain(f.path)
	}
	reading, err := f.log.read()
	if err != nil {
		return nil, err
	}
	if err := reading.refuseDamage(); err != nil {
		return nil, err
	}
	if reading.fault != nil {
		if err := f.log.cut(reading.fault.sound); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "recovered: dropped %d bytes\n", reading.fault.excess)
	}
	return newLogStore(f.log, reading), nil
}

// migrate brings the folder into log form, and gives the number of records.
func (f *Folder) migrate() (int, error) {
	if f.log.exists() {
		return 0, errAlreadyLog
	}
	plain, err := openPlain(f.path)
	if err != nil {
		return 0, err
	}
	var payloads []string
	for at, record := range (Selection{}).choose(plain) {
		change := Change{sequence: at + 1, key: record.key, value: record.value}
		payloads = append(payloads, change.payload())
	}
	if err := f.log.create(payloads); err != nil {
		return 0, err
	}
	f.opened = nil
	return len(payloads), plain.discard()
}

// verify gives what is in a log without fault.
func (f *Folder) verify() (*Reading, error) {
	reading, err := f.readLog()
	if err != nil {
		return nil, err
	}
	if err := reading.refuseDamage(); err != nil {
		return nil, err
	}
	if fault := reading.fault; fault != nil {
		return nil, fmt.Errorf("torn tail at line %d: %d bytes", fault.line, fault.excess)
	}
	return reading, nil
}

// repair cuts the log before its first fault, and gives what it found.
func (f *Folder) repair() (*Reading, error) {
	reading, err := f.readLog()
	if err != nil || reading.fault == nil {
		return reading, err
	}
	f.opened = nil
	return reading, f.log.cut(reading.fault.sound)
}

func (f *Folder) readLog() (*Reading, error) {
	if !f.log.exists() {
		return nil, errNotALog
	}
	return f.log.read()
}
