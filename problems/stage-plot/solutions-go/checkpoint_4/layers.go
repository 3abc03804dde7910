package main

import (
	"fmt"
	"sort"
)

// Layers has the lines of all files, the weakest first: all, those that apply, and those for each key.
type Layers struct {
	performance Performance
	schema      *Schema
	present     []string
	files       []string
	all         []*Setting
	settings    []*Setting
	stacks      map[Key][]*Setting
}

func openLayers(folder *Folder, performance Performance, night string) (*Layers, error) {
	sources, err := openSources(folder, night)
	if err != nil {
		return nil, err
	}
	layers := &Layers{present: sources.present}
	if folder.exists(schemaFile) {
		text, err := folder.require(schemaFile)
		if err != nil {
			return nil, err
		}
		layers.schema = readSchema(text)
	}
	if err := sources.read(); err != nil {
		return nil, err
	}
	layers.files = sources.files
	layers.performance = performance.over(sources.performance)
	layers.take(sources.settings)
	return layers, failureOf(append(sources.faults, layers.faults()...))
}

func (l *Layers) take(settings []*Setting) {
	l.all = settings
	sort.Slice(l.all, func(i, j int) bool { return l.performance.weaker(l.all[i], l.all[j]) })
	for _, setting := range l.all {
		if l.performance.applies(setting.Section) {
			l.settings = append(l.settings, setting)
		}
	}
	l.stacks = buildStacks(l.settings)
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

func (l *Layers) faults() []Fault {
	var faults []Fault
	if l.schema != nil {
		faults = append(faults, l.schema.faults...)
	}
	for key, stack := range l.stacks {
		for _, setting := range stack {
			if message := l.problem(key, setting); message != "" {
				faults = append(faults, Fault{setting.Place, key, message})
			}
		}
	}
	return faults
}

// problem is what is wrong with a line for a key, or empty.
func (l *Layers) problem(key Key, setting *Setting) string {
	if l.isChecked() && l.schema.find(key) == nil {
		return fmt.Sprintf("%s is not in the schema", key)
	}
	expected := l.expected(key)
	if kind := setting.kind(); kind != "" && kind != expected.kind {
		return expected.problem(key, kind)
	}
	return ""
}

// isChecked tells whether there is a schema that can be used.
func (l *Layers) isChecked() bool {
	return l.schema != nil && len(l.schema.faults) == 0
}

// Expected is of which kind the values of a key must be, and why. The kind is empty if any will do.
type Expected struct {
	kind   Kind
	reason string
}

func (l *Layers) expected(key Key) Expected {
	if l.isChecked() {
		kind := l.schema.find(key).kind
		return Expected{kind, fmt.Sprintf("must be %s", kind)}
	}
	for _, setting := range l.stacks[key] {
		if kind := setting.kind(); kind != "" {
			return Expected{kind, fmt.Sprintf("is %s in %s", kind, setting.Place)}
		}
	}
	return Expected{}
}

func (e Expected) problem(key Key, kind Kind) string {
	return fmt.Sprintf("%s %s, not %s", key, e.reason, kind)
}
