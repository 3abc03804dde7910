package main

import (
	"fmt"
	"sort"
)

// Book has the values of a folder for one performance, without faults, and the lines that have a say in
// them.
type Book struct {
	layers *Layers
	values map[Key]*Value
	says   map[Key]map[*Setting]bool
}

func openBook(folder *Folder, performance Performance, night string) (*Book, error) {
	layers, err := openLayers(folder, performance, night)
	if err != nil {
		return nil, err
	}
	resolver := resolve(layers)
	if err := failureOf(resolver.faults); err != nil {
		return nil, err
	}
	return &Book{layers, resolver.values, resolver.says}, nil
}

// named is the key for which an argument stands.
func (b *Book) named(name string) Key {
	return b.layers.renames.last(Key(name))
}

func (b *Book) find(name string) (Key, error) {
	key := b.named(name)
	if _, found := b.values[key]; !found {
		return "", fail("no key %s", name)
	}
	return key, nil
}

func (b *Book) equation(key Key) string {
	value, found := b.values[key]
	if !found {
		return fmt.Sprintf("%s has no value", key)
	}
	return fmt.Sprintf("%s = %s", key, value)
}

// show is the printed form of the value of a key, or none.
func (b *Book) show(key Key) string {
	if value, found := b.values[key]; found {
		return value.String()
	}
	return "none"
}

func (b *Book) origins(key Key) []string {
	var places []string
	for _, setting := range b.layers.stacks[key] {
		if b.says[key][setting] {
			places = append(places, setting.Place.String())
		}
	}
	return places
}

// unused is how many lines do not have a say in any value.
func (b *Book) unused() int {
	used := map[*Setting]bool{}
	for _, says := range b.says {
		for setting := range says {
			used[setting] = true
		}
	}
	return len(b.layers.settings) - len(used)
}

// oldNames tells of lines that use names from before, of each once.
func (b *Book) oldNames() []string {
	lines := append([]*Setting{}, b.layers.all...)
	sort.Slice(lines, func(i, j int) bool { return lines[i].Place.before(lines[j].Place) })
	var notes []string
	for _, line := range lines {
		notes = append(notes, b.layers.renames.notes(line)...)
	}
	return unique(notes)
}
