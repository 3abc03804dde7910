package main

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

var layerNames = []string{"house.cue", "tour.cue", "piece.cue", "night.cue"}

// readText is the text of a file; it is not ok if the file cannot be read.
func readText(folder, name string) (text string, ok bool) {
	content, err := os.ReadFile(filepath.Join(folder, name))
	return string(content), err == nil && utf8.Valid(content)
}

func requireText(folder, name string) (string, error) {
	text, ok := readText(folder, name)
	if !ok {
		return "", fail("cannot read %s", name)
	}
	return text, nil
}

func exists(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}

// Sources reads the layers and what they include, the weakest file first.
type Sources struct {
	folder   string
	present  []string
	count    int
	settings []*Setting
	faults   []Fault
}

func openSources(folder string) (*Sources, error) {
	sources := &Sources{folder: folder}
	for _, name := range layerNames {
		if exists(folder, name) {
			sources.present = append(sources.present, name)
		}
	}
	if len(sources.present) == 0 {
		return nil, fail("no layers in %s", folder)
	}
	return sources, nil
}

func (s *Sources) read() error {
	texts := map[string]string{}
	for _, name := range s.present {
		var err error
		if texts[name], err = requireText(s.folder, name); err != nil {
			return err
		}
	}
	for _, name := range s.present {
		s.readFile(name, texts[name], []string{name})
	}
	return nil
}

// readFile reads a file behind those that it includes. The chain has the files that lead to it.
func (s *Sources) readFile(name, text string, chain []string) {
	var problems []Fault
	for _, include := range includesOf(text) {
		if message := s.include(include, chain); message != "" {
			problems = append(problems, Fault{Place: Place{File: name, Number: include.number}, Message: message})
		}
	}
	reader := newReader(s.count, name)
	s.count++
	reader.read(text)
	s.settings = append(s.settings, reader.settings...)
	s.faults = append(s.faults, reader.faults...)
	for _, problem := range problems {
		problem.Place.Order = reader.order
		s.faults = append(s.faults, problem)
	}
}

// include reads an included file; it tells what is wrong with that, if anything is.
func (s *Sources) include(include Include, chain []string) string {
	if include.path == "" {
		return "bad include"
	}
	if include.isLate {
		return "include must come first"
	}
	name := include.from(chain[len(chain)-1])
	if start := indexOf(chain, name); start >= 0 {
		return "include goes round: " + strings.Join(extended(chain[start:], name), " -> ")
	}
	text, ok := readText(s.folder, name)
	if !ok {
		return "cannot read " + name
	}
	s.readFile(name, text, extended(chain, name))
	return ""
}

func extended(chain []string, name string) []string {
	return append(append([]string{}, chain...), name)
}
