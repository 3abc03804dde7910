package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	nameForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,23}$`)
	numberForm = regexp.MustCompile(`^[0-9]{1,6}$`)
)

// Line is one line that has words, with its number in the file.
type Line struct {
	number int
	words  []string
}

// splitLines gives the lines that have words, without comments.
func splitLines(text string) []Line {
	var lines []Line
	for at, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(words) > 0 {
			lines = append(lines, Line{number: at + 1, words: words})
		}
	}
	return lines
}

// Value is what an option says: a number (also of minutes) or a word.
type Value struct {
	number int
	word   string
}

// Option says how the value of one KEY=VALUE is read.
type Option struct {
	key      string
	read     func(text string) (Value, bool)
	required bool
	fallback Value // what holds if it is left out
}

func required(key string, read func(string) (Value, bool)) Option {
	return Option{key: key, read: read, required: true}
}

func optional(key string, read func(string) (Value, bool), fallback Value) Option {
	return Option{key: key, read: read, fallback: fallback}
}

func number(low, high int) func(string) (Value, bool) {
	return func(text string) (Value, bool) {
		if !numberForm.MatchString(text) {
			return Value{}, false
		}
		found := digits(text)
		return Value{number: found}, low <= found && found <= high
	}
}

func oneOf(words ...string) func(string) (Value, bool) {
	return func(text string) (Value, bool) {
		for _, word := range words {
			if word == text {
				return Value{word: word}, true
			}
		}
		return Value{}, false
	}
}

func aName(text string) (Value, bool) {
	return Value{word: text}, nameForm.MatchString(text)
}

func aTime(text string) (Value, bool) {
	minute, ok := parseTime(text)
	return Value{number: minute}, ok
}

// Values are the options of a line, by their keys.
type Values map[string]Value

func readName(words []string) (string, error) {
	if len(words) < 2 {
		return "", fmt.Errorf("missing name")
	}
	if !nameForm.MatchString(words[1]) {
		return "", fmt.Errorf("bad name '%s'", words[1])
	}
	return words[1], nil
}

func readOptions(options []Option, given []string) (Values, error) {
	values := Values{}
	for _, text := range given {
		if err := readOption(options, text, values); err != nil {
			return nil, err
		}
	}
	for _, option := range options {
		if _, ok := values[option.key]; ok {
			continue
		}
		if option.required {
			return nil, fmt.Errorf("missing %s", option.key)
		}
		values[option.key] = option.fallback
	}
	return values, nil
}

func readOption(options []Option, text string, values Values) error {
	key, value, hasValue := strings.Cut(text, "=")
	option := findOption(options, key)
	if !hasValue || option == nil {
		return fmt.Errorf("bad option '%s'", text)
	}
	if _, ok := values[key]; ok {
		return fmt.Errorf("%s given twice", key)
	}
	read, ok := option.read(value)
	if !ok {
		return fmt.Errorf("bad value '%s' for %s", value, key)
	}
	values[key] = read
	return nil
}

func findOption(options []Option, key string) *Option {
	for at := range options {
		if options[at].key == key {
			return &options[at]
		}
	}
	return nil
}
