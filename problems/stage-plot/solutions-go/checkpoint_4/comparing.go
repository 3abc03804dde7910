package main

import "fmt"

// differences has a line for each key that has different values in two books.
func differences(old, fresh *Book) []string {
	keys := map[Key]bool{}
	for key := range old.values {
		keys[key] = true
	}
	for key := range fresh.values {
		keys[key] = true
	}
	var lines []string
	for _, key := range sortedKeys(keys) {
		if before, after := old.show(key), fresh.show(key); before != after {
			lines = append(lines, fmt.Sprintf("%s: %s -> %s", key, before, after))
		}
	}
	return lines
}
