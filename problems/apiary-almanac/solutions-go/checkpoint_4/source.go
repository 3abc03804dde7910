package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

var holeForm = regexp.MustCompile(`\{[a-z][a-z0-9_]*\}`)

// Line is a line of a definition or a part, and its place in messages.
type Line struct {
	place string
	text  string
}

func linesOf(texts []string, prefix string) []Line {
	var lines []Line
	for at, text := range texts {
		lines = append(lines, Line{fmt.Sprintf("%s %d", prefix, at+1), text})
	}
	return withWords(lines)
}

// withWords are the lines that are neither empty nor comments.
func withWords(lines []Line) []Line {
	var kept []Line
	for _, line := range lines {
		if first := line.firstWord(); first != "" && !strings.HasPrefix(first, "#") {
			kept = append(kept, line)
		}
	}
	return kept
}

func (l Line) firstWord() string {
	words := strings.Fields(strings.ReplaceAll(l.text, `"`, ` "`))
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

func (l Line) fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", l.place, err)
}

// Part has lines that are written once and used several times.
type Part struct {
	parameters []string
	lines      []Line
}

// Source reads a definition with lines of parts in place of their uses.
type Source struct {
	folder string
	parts  map[string]Part
	using  []string
	read   func(line Line) error
}

// readSource reads every line that is not about parts, in the order in which they count.
func readSource(path string, read func(line Line) error) error {
	texts, err := readLines(path)
	if err != nil {
		return err
	}
	source := &Source{folder: filepath.Dir(path), parts: map[string]Part{}, read: read}
	return source.readAll(linesOf(texts, "line"))
}

func (s *Source) readAll(lines []Line) error {
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		var err error
		switch line.firstWord() {
		case "parts":
			err = s.readParts(line)
		case "use":
			err = s.use(line)
		case "part", "end":
			lines, err = s.takePart(line, lines)
		default:
			err = s.read(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readParts takes the parts of another file.
func (s *Source) readParts(line Line) error {
	words := wordsOf(line.text)
	words.take()
	name := words.text()
	words.end()
	if words.err != nil {
		return line.fault(words.err)
	}
	texts, err := readLines(filepath.Join(s.folder, name))
	if err != nil {
		return line.fault(fmt.Errorf("cannot read %s", name))
	}
	return s.takeParts(linesOf(texts, name+" line"))
}

func (s *Source) takeParts(lines []Line) error {
	for len(lines) > 0 {
		line := lines[0]
		if first := line.firstWord(); first != "part" && first != "end" {
			words := wordsOf(line.text)
			words.fail("unknown word %s", words.take())
			return line.fault(words.err)
		}
		rest, err := s.takePart(line, lines[1:])
		if err != nil {
			return err
		}
		lines = rest
	}
	return nil
}

// takePart takes a part, whose first line this is, and gives the lines after its end.
func (s *Source) takePart(line Line, lines []Line) ([]Line, error) {
	name, parameters, err := s.partHead(line)
	if err != nil {
		return nil, line.fault(err)
	}
	length, err := bodyLength(line, lines)
	if err != nil {
		return nil, err
	}
	s.parts[name] = Part{parameters, lines[:length]}
	return lines[length+1:], nil
}

func (s *Source) partHead(line Line) (name string, parameters []string, err error) {
	words := wordsOf(line.text)
	if words.take() == "end" {
		words.fail("end without part")
	}
	name = words.name()
	for words.more() {
		parameter := words.name()
		if contains(parameters, parameter) {
			words.reject()
		}
		parameters = append(parameters, parameter)
	}
	if _, ok := s.parts[name]; ok {
		words.fail("part %s given twice", name)
	}
	return name, parameters, words.err
}

// bodyLength counts the lines of a part up to its end.
func bodyLength(head Line, lines []Line) (int, error) {
	for at, line := range lines {
		switch line.firstWord() {
		case "end":
			words := wordsOf(line.text)
			words.take()
			words.end()
			return at, line.fault(words.err)
		case "part", "parts":
			return 0, line.fault(errors.New("part within a part"))
		}
	}
	return 0, head.fault(errors.New("part without end"))
}

// use reads the lines of a part in place of a line.
func (s *Source) use(line Line) error {
	words := wordsOf(line.text)
	words.take()
	name := words.name()
	var arguments []string
	for words.more() {
		arguments = append(arguments, strings.Trim(words.take(), `"`))
	}
	s.checkUse(name, arguments, words)
	if words.err != nil {
		return line.fault(words.err)
	}
	s.using = append(s.using, name)
	defer func() { s.using = s.using[:len(s.using)-1] }()
	return s.readAll(withWords(s.parts[name].filled(arguments, line.place)))
}

func (s *Source) checkUse(name string, arguments []string, words *Words) {
	part, ok := s.parts[name]
	switch {
	case !ok:
		words.fail("no part %s", name)
	case contains(s.using, name):
		words.fail("part %s uses itself", name)
	case len(arguments) != len(part.parameters):
		words.fail("part %s needs %d words", name, len(part.parameters))
	}
}

// filled are the lines of a part with the arguments of its use in the holes.
func (p Part) filled(arguments []string, place string) []Line {
	values := map[string]string{}
	for at, parameter := range p.parameters {
		values["{"+parameter+"}"] = arguments[at]
	}
	var lines []Line
	for _, line := range p.lines {
		text := holeForm.ReplaceAllStringFunc(line.text, func(hole string) string {
			if value, ok := values[hole]; ok {
				return value
			}
			return hole
		})
		lines = append(lines, Line{line.place + " (used in " + place + ")", text})
	}
	return lines
}
