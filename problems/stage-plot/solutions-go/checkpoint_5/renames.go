package main

import (
	"errors"
	"fmt"
	"strings"
)

// Rename is a line of the schema that says that a key has another name.
type Rename struct {
	number   int
	old, new Key
}

// Renames has the lines that rename, by the key that they rename.
type Renames struct {
	byOld map[Key]Rename
}

func newRenames() *Renames {
	return &Renames{map[Key]Rename{}}
}

func (r *Renames) read(number int, line string) error {
	sides := strings.Split(line, "->")
	if len(sides) > 2 {
		return errors.New("bad line")
	}
	var names [2]Key
	for at, side := range sides {
		key, ok := parseKey(trim(side))
		if !ok {
			return fmt.Errorf("bad key '%s'", trim(side))
		}
		names[at] = key
	}
	return r.add(Rename{number, names[0], names[1]})
}

func (r *Renames) add(rename Rename) error {
	if earlier, found := r.byOld[rename.old]; found {
		return fmt.Errorf("%s is renamed twice, first in line %d", rename.old, earlier.number)
	}
	way := append([]string{string(rename.old)}, r.way(rename.new)...)
	if way[len(way)-1] == string(rename.old) {
		return errors.New("renames go round: " + strings.Join(way, " -> "))
	}
	r.byOld[rename.old] = rename
	return nil
}

// way has a key and the names that it got one after another.
func (r *Renames) way(key Key) []string {
	way := []string{string(key)}
	for rename, found := r.byOld[key]; found; rename, found = r.byOld[rename.new] {
		way = append(way, string(rename.new))
	}
	return way
}

func (r *Renames) last(key Key) Key {
	way := r.way(key)
	return Key(way[len(way)-1])
}

// lastNames has the last name of each renamed key.
func (r *Renames) lastNames() map[Key]Key {
	names := map[Key]Key{}
	for old := range r.byOld {
		names[old] = r.last(old)
	}
	return names
}

// notes tells which of the names that a line uses are old.
func (r *Renames) notes(line *Setting) []string {
	var notes []string
	for _, name := range line.names {
		if _, old := r.byOld[name]; old {
			notes = append(notes, fmt.Sprintf("%s: %s is now %s", line.Place, name, r.last(name)))
		}
	}
	return notes
}
