package main

import "fmt"

// Reader reads the settings of one file. First has the lines that set its keys.
type Reader struct {
	order    int
	file     string
	settings []*Setting
	faults   []Fault
	first    map[Key]int
}

func (r *Reader) read(text string) {
	for _, line := range linesOf(text) {
		place := Place{r.order, r.file, line.number}
		if err := r.readLine(place, line.text); err != nil {
			r.faults = append(r.faults, Fault{place, err.Error()})
		}
	}
}

func (r *Reader) readLine(place Place, line string) error {
	setting, err := readSetting(place, line)
	if err != nil {
		return err
	}
	if number, found := r.first[setting.Key]; found {
		return fmt.Errorf("%s is set twice, first in line %d", setting.Key, number)
	}
	r.first[setting.Key] = place.Number
	r.settings = append(r.settings, setting)
	return nil
}
