package main

import (
	"regexp"
	"sort"
	"strings"
)

const maxParts = 4

var name = regexp.MustCompile(`^[a-z][a-z0-9-]{0,15}$`)

// Key has its parts separated by dots.
type Key string

func isName(text string) bool {
	return name.MatchString(text)
}

func parseKey(text string) (Key, bool) {
	parts := strings.Split(text, ".")
	for _, part := range parts {
		if !isName(part) {
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
