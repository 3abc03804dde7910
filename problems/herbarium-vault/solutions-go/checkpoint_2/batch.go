package main

import (
	"errors"
	"strings"
)

// Batch runs commands from a text, one a line.
type Batch struct {
	folder  *Folder
	refused int // how many lines were not done
}

func (b *Batch) run(text string) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line != "" && !strings.HasPrefix(line, "#") {
			say(b.reply(b.any(line)))
		}
	}
}

func (b *Batch) any(line string) ([]string, error) {
	if isEach(line) {
		return b.each(line)
	}
	return b.single(line)
}

func (b *Batch) single(line string) ([]string, error) {
	request, err := understandLine(line)
	if err != nil {
		return nil, err
	}
	return request.do(b.folder)
}

// reply is what a line prints, done or not.
func (b *Batch) reply(lines []string, err error) []string {
	if err == nil {
		return lines
	}
	b.refused++
	if errors.Is(err, errNotUnderstood) {
		return []string{"error: bad command"}
	}
	return []string{"error: " + err.Error()}
}

// joined is lines with what ends them.
func joined(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(line)
		text.WriteByte('\n')
	}
	return text.String()
}
