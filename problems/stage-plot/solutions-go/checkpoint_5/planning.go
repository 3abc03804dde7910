package main

import (
	"errors"
	"sort"
	"strings"
)

// errBreaks ends a plan by which a night gets faults; it needs no message.
var errBreaks = errors.New("a night breaks")

func plan(command Command, folder *Folder) ([]string, error) {
	change, err := planChange(command, folder)
	if err != nil {
		return nil, err
	}
	after := folder.with(change.texts())
	if _, err := openBook(after, command.performance, command.night); err != nil {
		return nil, err
	}
	lines := []string{change.told}
	for _, night := range namesOfNights(folder) {
		effects, effectErr := effectsOn(night, folder, after)
		for _, effect := range effects {
			lines = append(lines, night+": "+effect)
		}
		if effectErr != nil {
			err = effectErr
		}
	}
	return lines, err
}

func namesOfNights(folder *Folder) []string {
	var names []string
	for _, file := range folder.nights() {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "nights/"), ".cue")
		if isName(name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// effectsOn tells what a change does to a night; the error is errBreaks if it gets faults.
func effectsOn(night string, before, after *Folder) ([]string, error) {
	old, err := openBook(before, Performance{}, night)
	if err != nil {
		return []string{"faulty"}, nil
	}
	fresh, err := openBook(after, Performance{}, night)
	var failure Failure
	if errors.As(err, &failure) {
		return []string{"breaks, " + failure[0]}, errBreaks
	}
	effects := differences(old, fresh)
	if len(effects) == 0 {
		effects = []string{"no change"}
	}
	return effects, nil
}
