package main

import (
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"
)

var layerNames = []string{"house.cue", "tour.cue", "piece.cue", "night.cue"}

// Layers has the layers of a folder, and the lines for each key, the weakest first.
type Layers struct {
	folder  string
	present []string
	stacks  map[Key][]*Setting
}

func openLayers(folder string) (*Layers, error) {
	layers := &Layers{folder: folder, stacks: map[Key][]*Setting{}}
	for _, name := range layerNames {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			layers.present = append(layers.present, name)
		}
	}
	if len(layers.present) == 0 {
		return nil, fail("no layers in %s", folder)
	}
	faults, err := layers.read()
	if err != nil {
		return nil, err
	}
	return layers, failureOf(append(faults, layers.kindFaults()...))
}

func (l *Layers) read() ([]Fault, error) {
	var faults []Fault
	for order, name := range l.present {
		text, err := os.ReadFile(filepath.Join(l.folder, name))
		if err != nil || !utf8.Valid(text) {
			return nil, fail("cannot read %s", name)
		}
		reader := Reader{order: order, file: name, first: map[Key]int{}}
		reader.read(string(text))
		faults = append(faults, reader.faults...)
		for _, setting := range reader.settings {
			l.stacks[setting.Key] = append(l.stacks[setting.Key], setting)
		}
	}
	return faults, nil
}

func (l *Layers) kindFaults() []Fault {
	var faults []Fault
	for key, stack := range l.stacks {
		first := stack[0]
		for _, setting := range stack[1:] {
			if kind := setting.Value.Kind; kind != first.Value.Kind {
				message := fmt.Sprintf("%s is %s in %s, not %s", key, first.Value.Kind, first.Place, kind)
				faults = append(faults, Fault{setting.Place, message})
			}
		}
	}
	return faults
}

func (l *Layers) find(name string) (*Setting, error) {
	if _, found := l.stacks[Key(name)]; !found {
		return nil, fail("no key %s", name)
	}
	return l.strongest(Key(name)), nil
}

func (l *Layers) strongest(key Key) *Setting {
	stack := l.stacks[key]
	return stack[len(stack)-1]
}

// unused is how many lines a stronger one replaces.
func (l *Layers) unused() int {
	count := 0
	for _, stack := range l.stacks {
		count += len(stack) - 1
	}
	return count
}
