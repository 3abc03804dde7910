package main

import (
	"errors"
	"fmt"
	"strings"
)

// Slot is what a section may do to a key: set it, or change it.
type Slot struct {
	section int
	key     Key
	sets    bool
}

// Reader reads the settings of one file. First has the first line for each slot, and wellFormed has
// also those settings that the file must not have in their place.
type Reader struct {
	order      int
	file       string
	isNight    bool
	renames    *Renames
	section    Section
	settings   []*Setting
	wellFormed []*Setting
	faults     []Fault
	first      map[Slot]int
}

func newReader(order int, file string, isNight bool, renames *Renames) *Reader {
	return &Reader{
		order: order, file: file, isNight: isNight, renames: renames, section: head, first: map[Slot]int{},
	}
}

func (r *Reader) read(text string) {
	for at, line := range linesOf(text) {
		place := Place{r.order, r.file, line.number}
		if err := r.readLine(place, line.text, at == 0); err != nil {
			r.faults = append(r.faults, Fault{Place: place, Message: err.Error()})
		}
	}
}

func (r *Reader) readLine(place Place, line string, isFirst bool) error {
	switch {
	case line[0] == '[':
		return r.beginSection(line)
	case isAtLine(line):
		return r.checkAt(line, isFirst)
	case isInclude(line):
		return nil
	}
	setting, err := readSetting(place, r.section, line)
	if err != nil {
		return err
	}
	return r.add(setting)
}

func (r *Reader) beginSection(line string) error {
	var ok bool
	if r.section, ok = readHeader(r.section.number+1, line); !ok {
		return errors.New("bad section")
	}
	return nil
}

func (r *Reader) checkAt(line string, isFirst bool) error {
	_, ok := readAt(line)
	switch {
	case !r.isNight:
		return errors.New("at is for nights")
	case !isFirst:
		return errors.New("at must come first")
	case !ok:
		return errors.New("bad at")
	}
	return nil
}

func (r *Reader) add(setting *Setting) error {
	r.wellFormed = append(r.wellFormed, setting)
	setting = setting.renamed(r.renames)
	if err := r.checkRepeated(setting); err != nil {
		return err
	}
	slot := r.slot(setting.Key, setting.sets())
	if _, found := r.first[slot]; !found {
		r.first[slot] = setting.Place.Number
	}
	r.settings = append(r.settings, setting)
	return nil
}

func (r *Reader) slot(key Key, sets bool) Slot {
	return Slot{r.section.number, key, sets}
}

func (r *Reader) checkRepeated(setting *Setting) error {
	if !setting.sets() {
		return nil
	}
	if number, found := r.first[r.slot(setting.Key, true)]; found {
		return fmt.Errorf("%s is set twice, first in line %d", setting.Key, number)
	}
	if number, found := r.first[r.slot(setting.Key, false)]; found {
		return fmt.Errorf("%s is changed before it is set, in line %d", setting.Key, number)
	}
	return nil
}

// HeadLine is a line above the first header, with its key as written, if it has one.
type HeadLine struct {
	number int
	key    Key
}

func headOf(text string) []HeadLine {
	var lines []HeadLine
	for _, line := range linesOf(text) {
		if line.text[0] == '[' {
			break
		}
		lines = append(lines, HeadLine{line.number, writtenKey(line.text)})
	}
	return lines
}

func writtenKey(line string) Key {
	if isInclude(line) || isAtLine(line) {
		return ""
	}
	before, _, _ := strings.Cut(line, "=")
	key, _ := splitSign(before)
	return Key(key)
}
