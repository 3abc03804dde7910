package main

import (
	"regexp"
	"sort"
	"strings"
)

const maxParts = 4

const star = "*"

var name = regexp.MustCompile(`^[a-z][a-z0-9-]{0,15}$`)

// Key has its parts separated by dots.
type Key string

func isName(text string) bool {
	return name.MatchString(text)
}

func parseKey(text string) (Key, bool) {
	return parseParts(text, isName)
}

// parseDefault reads a key of which parts before the last are stars.
func parseDefault(text string) (Key, bool) {
	key, ok := parsePattern(text)
	return key, ok && key.hasStars() && !strings.HasSuffix(text, star)
}

// parsePattern reads a key of which any part may be a star.
func parsePattern(text string) (Key, bool) {
	return parseParts(text, func(part string) bool { return part == star || isName(part) })
}

func parseParts(text string, isPart func(string) bool) (Key, bool) {
	parts := strings.Split(text, ".")
	for _, part := range parts {
		if !isPart(part) {
			return "", false
		}
	}
	return Key(text), len(parts) <= maxParts
}

// before orders keys part by part: a dot comes before all characters of a part.
func (k Key) before(other Key) bool {
	return k.sortable() < other.sortable()
}

func (k Key) sortable() string {
	return strings.ReplaceAll(string(k), ".", "\x00")
}

func (k Key) parts() []string {
	return strings.Split(string(k), ".")
}

func (k Key) hasStars() bool {
	return strings.Contains(string(k), star)
}

// filled is the key that a default is for because another key is written out.
func (k Key) filled(written Key) (Key, bool) {
	parts, own := k.parts(), written.parts()
	length := stemLength(parts)
	if len(own) <= length || !matchParts(parts[:length], own[:length]) {
		return "", false
	}
	stem := append([]string{}, own[:length]...)
	return Key(strings.Join(append(stem, parts[length:]...), ".")), true
}

// stemLength is how many parts reach up to the last star.
func stemLength(parts []string) int {
	length := len(parts)
	for parts[length-1] != star {
		length--
	}
	return length
}

// matchParts compares as many parts of a pattern and a key.
func matchParts(pattern, parts []string) bool {
	for at, part := range parts {
		if pattern[at] != star && pattern[at] != part {
			return false
		}
	}
	return true
}

// matches tells whether the stars of this key stand for the parts of another one.
func (k Key) matches(other Key) bool {
	pattern, parts := k.parts(), other.parts()
	return len(pattern) == len(parts) && matchParts(pattern, parts)
}

func (k Key) within(group Key) bool {
	return k == group || strings.HasPrefix(string(k), string(group)+".")
}

func sortedKeys[V any](values map[Key]V) []Key {
	keys := make([]Key, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i].before(keys[j]) })
	return keys
}
