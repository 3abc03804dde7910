package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"
)

// Folder is a folder with changes that are not written yet: the new texts of files.
type Folder struct {
	path    string
	changes map[string]string
}

func openFolder(path string) *Folder {
	return &Folder{path: path}
}

// with is the folder as it would be after changes.
func (f *Folder) with(changes map[string]string) *Folder {
	return &Folder{f.path, changes}
}

func (f *Folder) place(name string) string {
	return filepath.Join(f.path, name)
}

func (f *Folder) exists(name string) bool {
	_, err := os.Stat(f.place(name))
	return err == nil
}

// read is the text of a file; it is not ok if the file cannot be read.
func (f *Folder) read(name string) (text string, ok bool) {
	if text, found := f.changes[name]; found {
		return text, true
	}
	content, err := os.ReadFile(f.place(name))
	return string(content), err == nil && utf8.Valid(content)
}

func (f *Folder) require(name string) (string, error) {
	text, ok := f.read(name)
	if !ok {
		return "", fail("cannot read %s", name)
	}
	return text, nil
}

// nights has the names of the files of all nights.
func (f *Folder) nights() []string {
	entries, err := os.ReadDir(f.place("nights"))
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".cue") {
			names = append(names, "nights/"+entry.Name())
		}
	}
	sort.Strings(names)
	return names
}

func (f *Folder) write() error {
	for name, text := range f.changes {
		if err := os.WriteFile(f.place(name), []byte(text), 0o644); err != nil {
			return fail("cannot write %s", name)
		}
	}
	return nil
}
