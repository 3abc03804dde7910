package main

import "fmt"

// Slot is what a file may do to a key: set it, or change it.
type Slot struct {
	key  Key
	sets bool
}

// Reader reads the settings of one file. First has the first line for each slot.
type Reader struct {
	order    int
	file     string
	settings []*Setting
	faults   []Fault
	first    map[Slot]int
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
	setting, err := readSetting(place, line)
	if err != nil {
		return err
	}
	return r.add(setting)
}

func (r *Reader) add(setting *Setting) error {
	if err := r.checkRepeated(setting); err != nil {
		return err
	}
	slot := Slot{setting.Key, setting.Sign == signSet}
	if _, found := r.first[slot]; !found {
		r.first[slot] = setting.Place.Number
	}
	r.settings = append(r.settings, setting)
	return nil
}

func (r *Reader) checkRepeated(setting *Setting) error {
	if setting.Sign != signSet {
		return nil
	}
	if number, found := r.first[Slot{setting.Key, true}]; found {
		return fmt.Errorf("%s is set twice, first in line %d", setting.Key, number)
	}
	if number, found := r.first[Slot{setting.Key, false}]; found {
		return fmt.Errorf("%s is changed before it is set, in line %d", setting.Key, number)
	}
	return nil
}
