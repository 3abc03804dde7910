package main

import (
	"errors"
	"fmt"
	"strings"
)

// The signs that a line can have.
const (
	signSet    = "="
	signAppend = "+="
	signRemove = "-="
)

// Setting is a line that sets a key, or changes its list. Text is its value as written.
type Setting struct {
	Place   Place
	Section Section
	Key     Key
	Sign    string
	Value   Written
	Text    string
}

// kind is the kind that a line gives its key, or empty.
func (s *Setting) kind() Kind {
	switch {
	case s.Sign != signSet:
		return kindList
	case s.Value.Kind == kindReference:
		return ""
	}
	return s.Value.Kind
}

func (s *Setting) isDefault() bool {
	return s.Key.hasStars()
}

func readSetting(place Place, section Section, line string) (*Setting, error) {
	before, after, found := strings.Cut(line, "=")
	if !found {
		return nil, errors.New("bad line")
	}
	before, sign := splitSign(before)
	key, ok := parseKey(before)
	if !ok && sign == signSet {
		key, ok = parseDefault(before)
	}
	if !ok {
		return nil, fmt.Errorf("bad key '%s'", before)
	}
	value, own, err := parseValue(trim(after))
	if err != nil {
		return nil, fmt.Errorf("bad value for %s", before)
	}
	return &Setting{place, section, key, sign, value, own}, nil
}

// splitSign has the key before the first equals sign, and the sign that the line has.
func splitSign(before string) (key, sign string) {
	switch {
	case strings.HasSuffix(before, "+"):
		return trim(strings.TrimSuffix(before, "+")), signAppend
	case strings.HasSuffix(before, "-"):
		return trim(strings.TrimSuffix(before, "-")), signRemove
	}
	return trim(before), signSet
}
