package main

import (
	"fmt"
	"os"
	"unicode/utf8"
)

// readText reads a file of text that the user named.
func readText(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(text) {
		return "", fmt.Errorf("cannot read %s", path)
	}
	return string(text), nil
}
