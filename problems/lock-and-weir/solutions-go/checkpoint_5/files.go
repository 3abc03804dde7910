package main

import (
	"fmt"
	"os"
	"unicode/utf8"
)

// writeText writes over whatever was there before.
func writeText(path, text string) error {
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return fmt.Errorf("cannot write %s", path)
	}
	return nil
}

// readText reads a file of text that the user named.
func readText(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(text) {
		return "", fmt.Errorf("cannot read %s", path)
	}
	return string(text), nil
}
