package main

import (
	"path"
	"regexp"
	"strings"
)

var includeWord = regexp.MustCompile(`^include[ \t]*"`)

// Include is a line that includes a file. The path is empty if it is invalid.
type Include struct {
	number int
	path   string
	isLate bool
}

func isInclude(line string) bool {
	return includeWord.MatchString(line)
}

func includesOf(text string) []Include {
	var includes []Include
	isLate := false
	for _, line := range linesOf(text) {
		if isInclude(line.text) {
			includes = append(includes, Include{line.number, readPath(line.text), isLate})
		} else if !isAtLine(line.text) {
			isLate = true
		}
	}
	return includes
}

func readPath(line string) string {
	value, _, err := parseValue(line[strings.Index(line, `"`):])
	path, ok := value.literal()
	if err != nil || !ok || strings.HasPrefix(path, "/") {
		return ""
	}
	return path
}

// from is the name of the included file, if the line is in the file with the given name.
func (i Include) from(file string) string {
	return path.Join(path.Dir(file), i.path)
}
