package main

import (
	"errors"
	"fmt"
	"strings"
)

// Setting is a line that gives a key a value.
type Setting struct {
	Place Place
	Key   Key
	Value Value
}

func readSetting(place Place, line string) (*Setting, error) {
	before, after, found := strings.Cut(line, "=")
	if !found {
		return nil, errors.New("bad line")
	}
	key, ok := parseKey(trim(before))
	if !ok {
		return nil, fmt.Errorf("bad key '%s'", trim(before))
	}
	value, err := parseValue(trim(after))
	if err != nil {
		return nil, fmt.Errorf("bad value for %s", key)
	}
	return &Setting{place, key, value}, nil
}
