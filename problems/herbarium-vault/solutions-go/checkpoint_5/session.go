package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const mainSession = "main"

var sessionForm = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Session is one of several who work on a folder.
type Session struct {
	folder      *Folder
	transaction *Transaction // nil outside of one
}

// store is what the session reads and changes.
func (s *Session) store() (Store, error) {
	if s.transaction != nil {
		return s.transaction, nil
	}
	return s.folder.store()
}

func (s *Session) begin() (*Transaction, error) {
	store, err := s.folder.logStore()
	if err != nil {
		return nil, err
	}
	if s.transaction != nil {
		return nil, errors.New("already in a transaction")
	}
	s.transaction = newTransaction(store)
	return s.transaction, nil
}

// end gives the transaction, which is over.
func (s *Session) end() (*Transaction, error) {
	if s.transaction == nil {
		return nil, errors.New("not in a transaction")
	}
	ended := s.transaction
	s.transaction = nil
	ended.end()
	return ended, nil
}

// splitSession gives the session that a line names, and the command behind it.
func splitSession(line string) (name, command string, err error) {
	if !strings.HasPrefix(line, "@") {
		return mainSession, line, nil
	}
	name, command, _ = strings.Cut(line[1:], " ")
	if !sessionForm.MatchString(name) {
		return "", "", fmt.Errorf("bad session '%s'", name)
	}
	return name, command, nil
}
