package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"unicode/utf8"
)

var layerNames = []string{"house.cue", "tour.cue", "piece.cue", "night.cue"}

// Layers has the layers of a folder, all their lines, and the lines for each key, the weakest first.
type Layers struct {
	folder   string
	present  []string
	settings []*Setting
	stacks   map[Key][]*Setting
}

func openLayers(folder string) (*Layers, error) {
	layers := &Layers{folder: folder}
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
		reader := Reader{order: order, file: name, first: map[Slot]int{}}
		reader.read(string(text))
		faults = append(faults, reader.faults...)
		l.settings = append(l.settings, reader.settings...)
	}
	sort.Slice(l.settings, func(i, j int) bool { return weaker(l.settings[i], l.settings[j]) })
	l.stacks = buildStacks(l.settings)
	return faults, nil
}

// buildStacks has the lines for each key, in the order in which they are given.
func buildStacks(settings []*Setting) map[Key][]*Setting {
	written := map[Key]bool{}
	for _, setting := range settings {
		if !setting.isDefault() {
			written[setting.Key] = true
		}
	}
	stacks := map[Key][]*Setting{}
	for _, setting := range settings {
		for key := range keysOf(setting, written) {
			stacks[key] = append(stacks[key], setting)
		}
	}
	return stacks
}

// keysOf has the keys for which a line is, if the written keys are written out.
func keysOf(setting *Setting, written map[Key]bool) map[Key]bool {
	if !setting.isDefault() {
		return map[Key]bool{setting.Key: true}
	}
	keys := map[Key]bool{}
	for key := range written {
		if filled, ok := setting.Key.filled(key); ok {
			keys[filled] = true
		}
	}
	return keys
}

func (l *Layers) kindFaults() []Fault {
	var faults []Fault
	for key, stack := range l.stacks {
		expected := l.expected(key)
		for _, setting := range stack {
			if kind := setting.kind(); kind != "" && kind != expected.kind {
				faults = append(faults, expected.fault(key, setting, kind))
			}
		}
	}
	return faults
}

// Expected is of which kind the values of a key must be, and why. The kind is empty if any will do.
type Expected struct {
	kind   Kind
	reason string
}

func (l *Layers) expected(key Key) Expected {
	for _, setting := range l.stacks[key] {
		if kind := setting.kind(); kind != "" {
			return Expected{kind, fmt.Sprintf("is %s in %s", kind, setting.Place)}
		}
	}
	return Expected{}
}

func (e Expected) fault(key Key, setting *Setting, kind Kind) Fault {
	return Fault{setting.Place, key, fmt.Sprintf("%s %s, not %s", key, e.reason, kind)}
}
