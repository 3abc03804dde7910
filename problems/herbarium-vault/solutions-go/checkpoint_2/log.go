package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Log is the file of a folder in log form.
type Log struct {
	path string
	file *os.File // for appending, once something was appended
}

func logIn(folder string) *Log { return &Log{path: filepath.Join(folder, logName)} }

func (l *Log) exists() bool {
	_, err := os.Stat(l.path)
	return err == nil
}

func (l *Log) read() (*Reading, error) {
	data, err := os.ReadFile(l.path)
	if err != nil {
		return nil, errors.New("cannot read " + logName)
	}
	return readLog(data)
}

// create writes a log of these payloads, which takes the place of one that is there.
func (l *Log) create(payloads []string) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o777); err != nil {
		return err
	}
	fresh := l.path + ".new"
	if err := os.WriteFile(fresh, []byte(logHeader+framed(payloads)), 0o666); err != nil {
		return err
	}
	l.file = nil
	return os.Rename(fresh, l.path)
}

// append adds entries in one piece.
func (l *Log) append(payloads []string) error {
	if l.file == nil {
		file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		l.file = file
	}
	_, err := l.file.WriteString(framed(payloads))
	return err
}

func framed(payloads []string) string {
	var text strings.Builder
	for _, payload := range payloads {
		text.WriteString(frame(payload))
	}
	return text.String()
}

func (l *Log) cut(size int) error { return os.Truncate(l.path, int64(size)) }
