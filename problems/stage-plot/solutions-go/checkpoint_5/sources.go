package main

import (
	"strings"
)

var layerNames = []string{"house.cue", "tour.cue", "piece.cue", "night.cue"}

// Sources reads the layers and what they include, the weakest file first.
type Sources struct {
	folder      *Folder
	night       string
	present     []string
	files       []string
	settings    []*Setting
	faults      []Fault
	performance Performance
	renames     *Renames
}

func openSources(folder *Folder, night string) (*Sources, error) {
	sources := &Sources{folder: folder, night: layerNames[3]}
	if night != "" {
		sources.night = nightFile(night)
		if !folder.exists(sources.night) {
			return nil, fail("no night %s", night)
		}
	}
	for _, name := range []string{layerNames[0], layerNames[1], layerNames[2], sources.night} {
		if folder.exists(name) {
			sources.present = append(sources.present, name)
		}
	}
	if len(sources.present) == 0 {
		return nil, fail("no layers in %s", folder.path)
	}
	return sources, nil
}

func (s *Sources) read(renames *Renames) error {
	s.renames = renames
	texts := map[string]string{}
	for _, name := range s.present {
		var err error
		if texts[name], err = s.folder.require(name); err != nil {
			return err
		}
	}
	s.performance = performanceOf(texts[s.night])
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
	reader := newReader(len(s.files), name, len(chain) == 1 && name == s.night, s.renames)
	s.files = append(s.files, name)
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
	text, ok := s.folder.read(name)
	if !ok {
		return "cannot read " + name
	}
	s.readFile(name, text, extended(chain, name))
	return ""
}

func extended(chain []string, name string) []string {
	return append(append([]string{}, chain...), name)
}
