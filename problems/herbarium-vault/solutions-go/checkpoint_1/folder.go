package main

import (
	"fmt"
	"os"
)

// Store is where records are kept.
type Store interface {
	View
	put(key, value string) error
	remove(key string) error
}

// Folder holds a store, which is opened when it is first needed.
type Folder struct {
	path   string
	opened Store
}

func openFolder(path string) (*Folder, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", path)
	}
	return &Folder{path: path}, nil
}

func (f *Folder) store() (Store, error) {
	if f.opened != nil {
		return f.opened, nil
	}
	store, err := openPlain(f.path)
	if err != nil {
		return nil, err
	}
	f.opened = store
	return store, nil
}
