package main

import "strings"

const blanks = " \t"

// Line is a line that says something, without blanks at its ends.
type Line struct {
	number int
	text   string
}

// linesOf has the lines of a text that are neither empty nor comments.
func linesOf(text string) []Line {
	var lines []Line
	for at, line := range strings.Split(text, "\n") {
		line = trim(strings.TrimSuffix(line, "\r"))
		if line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, Line{at + 1, line})
		}
	}
	return lines
}

func trim(text string) string {
	return strings.Trim(text, blanks)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(char rune) bool { return strings.ContainsRune(blanks, char) })
}

// withoutComment is a line of words up to a comment.
func withoutComment(line string) string {
	before, _, _ := strings.Cut(line, "#")
	return before
}
