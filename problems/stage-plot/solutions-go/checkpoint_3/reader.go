package main

import (
	"errors"
	"fmt"
)

// Slot is what a section may do to a key: set it, or change it.
type Slot struct {
	section int
	key     Key
	sets    bool
}

// Reader reads the settings of one file. First has the first line for each slot.
type Reader struct {
	order    int
	file     string
	section  Section
	settings []*Setting
	faults   []Fault
	first    map[Slot]int
}

func newReader(order int, file string) *Reader {
	return &Reader{order: order, file: file, section: head, first: map[Slot]int{}}
}

func (r *Reader) read(text string) {
	for _, line := range linesOf(text) {
		place := Place{r.order, r.file, line.number}
		if err := r.readLine(place, line.text); err != nil {
			r.faults = append(r.faults, Fault{Place: place, Message: err.Error()})
		}
	}
}

func (r *Reader) readLine(place Place, line string) error {
	if line[0] == '[' {
		return r.beginSection(line)
	}
	if isInclude(line) {
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

func (r *Reader) add(setting *Setting) error {
	if err := r.checkRepeated(setting); err != nil {
		return err
	}
	slot := r.slot(setting.Key, setting.Sign == signSet)
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
	if setting.Sign != signSet {
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
