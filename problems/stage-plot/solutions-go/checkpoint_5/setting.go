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
	signLock   = "=!"
)

// Setting is a line that sets a key, or changes its list. Key is the last name of its key. Text is its
// value as written, and names has its key and references as written.
type Setting struct {
	Place   Place
	Section Section
	Key     Key
	Sign    string
	Value   Written
	Text    string
	names   []Key
}

func (s *Setting) sets() bool {
	return s.Sign == signSet || s.locks()
}

func (s *Setting) locks() bool {
	return s.Sign == signLock
}

// kind is the kind that a line gives its key, or empty.
func (s *Setting) kind() Kind {
	switch {
	case !s.sets():
		return kindList
	case s.Value.Kind == kindReference:
		return ""
	}
	return s.Value.Kind
}

func (s *Setting) isDefault() bool {
	return s.Key.hasStars()
}

// renamed is the line under the last names of its keys.
func (s *Setting) renamed(renames *Renames) *Setting {
	changed := *s
	changed.Key = renames.last(s.Key)
	changed.Value = s.Value.renamed(renames)
	return &changed
}

func readSetting(place Place, section Section, line string) (*Setting, error) {
	before, after, found := strings.Cut(line, "=")
	if !found {
		return nil, errors.New("bad line")
	}
	before, sign := splitSign(before)
	if sign == signSet && strings.HasPrefix(after, "!") {
		sign, after = signLock, after[1:]
	}
	key, ok := parseKey(before)
	if !ok && (sign == signSet || sign == signLock) {
		key, ok = parseDefault(before)
	}
	if !ok {
		return nil, fmt.Errorf("bad key '%s'", before)
	}
	value, own, err := parseValue(trim(after))
	if err != nil {
		return nil, fmt.Errorf("bad value for %s", before)
	}
	names := append([]Key{key}, value.references()...)
	return &Setting{place, section, key, sign, value, own, names}, nil
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
