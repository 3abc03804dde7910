package main

import "strings"

// Document is the text of a file, changed line by line; everything else stays to the byte.
type Document struct {
	lines []string
	end   string
}

func newDocument(text string) *Document {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	document := &Document{lines, "\n"}
	if len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
		document.end = "\r\n"
	}
	return document
}

func (d *Document) text() string {
	return strings.Join(d.lines, "")
}

// replace puts a sign and a text in place of the sign and the value of a setting.
func (d *Document) replace(setting *Setting, sign, text string) {
	line := &d.lines[setting.Place.Number-1]
	end, start := signEnd(*line), valueStart(*line)
	before := (*line)[:end-len(setting.Sign)]
	*line = before + sign + (*line)[end:start] + text + (*line)[start+len(setting.Text):]
}

func (d *Document) takeOut(settings []*Setting) {
	gone := map[int]bool{}
	for _, setting := range settings {
		gone[setting.Place.Number] = true
	}
	var kept []string
	for at, line := range d.lines {
		if !gone[at+1] {
			kept = append(kept, line)
		}
	}
	d.lines = kept
}

// insert puts a new line behind that with the given number, 0 for the top.
func (d *Document) insert(number int, text string) {
	if number > 0 && !strings.HasSuffix(d.lines[number-1], "\n") {
		d.lines[number-1] += d.end
	}
	behind := append([]string{text + d.end}, d.lines[number:]...)
	d.lines = append(d.lines[:number], behind...)
}

func signEnd(line string) int {
	end := strings.Index(line, "=") + 1
	if strings.HasPrefix(line[end:], "!") {
		end++
	}
	return end
}

func valueStart(line string) int {
	return len(line) - len(strings.TrimLeft(line[signEnd(line):], blanks))
}
