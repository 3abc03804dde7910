package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var errBadValue = errors.New("bad value")

var number = regexp.MustCompile(`^-?[0-9]{1,9}$`)

// Scanner reads a value from a text, from left to right.
type Scanner struct {
	text string
	at   int
}

// parseValue reads the value that a text is; only a comment may follow it.
func parseValue(text string) (Value, error) {
	scanner := Scanner{text: text}
	value, err := scanner.value()
	if err != nil || !scanner.isAtEnd() {
		return Value{}, errBadValue
	}
	return value, nil
}

func (s *Scanner) rest() string {
	return s.text[s.at:]
}

func (s *Scanner) accept(sign string) bool {
	found := strings.HasPrefix(s.rest(), sign)
	if found {
		s.at += len(sign)
	}
	return found
}

// takeUntil takes the characters before the first of those that end them.
func (s *Scanner) takeUntil(ends string) string {
	taken := s.rest()
	if end := strings.IndexAny(taken, ends); end >= 0 {
		taken = taken[:end]
	}
	s.at += len(taken)
	return taken
}

func (s *Scanner) skipBlanks() {
	s.at = len(s.text) - len(strings.TrimLeft(s.rest(), blanks))
}

func (s *Scanner) isAtEnd() bool {
	s.skipBlanks()
	return s.rest() == "" || s.accept("#")
}

func (s *Scanner) value() (Value, error) {
	if s.accept("[") {
		return s.list()
	}
	return s.plain()
}

func (s *Scanner) plain() (Value, error) {
	if s.accept(`"`) {
		return s.quoted()
	}
	return parseWord(s.takeUntil(blanks + ",]#"))
}

func parseWord(word string) (Value, error) {
	if word == "yes" || word == "no" {
		return Value{Kind: kindTruth, Text: word}, nil
	}
	if !number.MatchString(word) {
		return Value{}, errBadValue
	}
	value, err := strconv.Atoi(word)
	return Value{Kind: kindNumber, Number: value}, err
}

// quoted reads a text behind its first quotation mark.
func (s *Scanner) quoted() (Value, error) {
	value := Value{Kind: kindText}
	for !s.accept(`"`) {
		char, err := s.character()
		if err != nil {
			return Value{}, err
		}
		value.Text += char
	}
	if utf8.RuneCountInString(value.Text) > textLimit {
		return Value{}, errBadValue
	}
	return value, nil
}

func (s *Scanner) character() (string, error) {
	escaped := s.accept(`\`)
	char, size := utf8.DecodeRuneInString(s.rest())
	if size == 0 || escaped && !strings.ContainsRune(`"\`, char) {
		return "", errBadValue
	}
	s.at += size
	return string(char), nil
}

// list reads a list behind its first bracket.
func (s *Scanner) list() (Value, error) {
	found := Value{Kind: kindList}
	s.skipBlanks()
	for more := !s.accept("]"); more; more = !s.accept("]") {
		if len(found.Items) > 0 && !s.accept(",") {
			return Value{}, errBadValue
		}
		s.skipBlanks()
		item, err := s.plain()
		if err != nil {
			return Value{}, err
		}
		found.Items = append(found.Items, item)
		s.skipBlanks()
	}
	if len(found.Items) > listLimit {
		return Value{}, errBadValue
	}
	return found, nil
}
