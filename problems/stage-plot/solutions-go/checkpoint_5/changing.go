package main

import (
	"fmt"
	"strings"
)

// Change is what setting a key would do: the new text of a file, and the line that tells of it.
type Change struct {
	key  Key
	file string
	text string
	told string
}

func (c Change) texts() map[string]string {
	return map[string]string{c.file: c.text}
}

func setValue(command Command, folder *Folder) ([]string, error) {
	change, err := planChange(command, folder)
	if err != nil {
		return nil, err
	}
	changed, err := finish(command, folder, change.texts())
	if err != nil {
		return nil, err
	}
	return []string{change.told, changed.equation(change.key)}, nil
}

func planChange(command Command, folder *Folder) (Change, error) {
	book, err := openBook(folder, command.performance, command.night)
	if err != nil {
		return Change{}, err
	}
	key, text, err := readEquation(command.arguments[1], command.arguments[2])
	if err != nil {
		return Change{}, err
	}
	key = book.layers.renames.last(key)
	spot, err := findSpot(book, key, command)
	if err != nil {
		return Change{}, err
	}
	content, err := folder.require(spot.file)
	if err != nil {
		return Change{}, err
	}
	document := newDocument(content)
	sign := spot.signFor(command)
	number := putValue(document, spot, key, sign, text)
	told := fmt.Sprintf("%s:%d %s %s %s", spot.file, number, key, sign, text)
	return Change{key, spot.file, document.text(), told}, nil
}

// signFor is the sign that the changed or new line gets.
func (s Spot) signFor(command Command) string {
	if command.locks || len(s.lines) > 0 && s.lines[0].locks() {
		return signLock
	}
	return signSet
}

// putValue changes the spot; it is the number of the changed or new line.
func putValue(document *Document, spot Spot, key Key, sign, text string) int {
	if len(spot.lines) == 0 {
		number := lineBefore(document.text(), key)
		document.insert(number, fmt.Sprintf("%s %s %s", key, sign, text))
		return number + 1
	}
	document.replace(spot.lines[0], sign, text)
	document.takeOut(spot.lines[1:])
	return spot.lines[0].Place.Number
}

func readEquation(name, value string) (key Key, text string, err error) {
	if key, err = requireKey(name); err != nil {
		return "", "", err
	}
	text = trim(value)
	_, own, err := parseValue(text)
	if err != nil || own != text || strings.Contains(text, "\n") {
		return "", "", fail("bad value for %s", name)
	}
	return key, text, nil
}

func requireKey(name string) (Key, error) {
	key, ok := parseKey(name)
	if !ok {
		return "", fail("bad key '%s'", name)
	}
	return key, nil
}

func unset(command Command, folder *Folder) ([]string, error) {
	book, err := openBook(folder, command.performance, command.night)
	if err != nil {
		return nil, err
	}
	key, err := requireKey(command.arguments[1])
	if err != nil {
		return nil, err
	}
	key = book.layers.renames.last(key)
	spot, err := findSpot(book, key, command)
	if err != nil {
		return nil, err
	}
	if len(spot.lines) == 0 {
		return nil, refuseUnset(key, command)
	}
	content, err := folder.require(spot.file)
	if err != nil {
		return nil, err
	}
	document := newDocument(content)
	document.takeOut(spot.lines)
	changed, err := finish(command, folder, map[string]string{spot.file: document.text()})
	if err != nil {
		return nil, err
	}
	return append(tellTakenOut(spot), changed.equation(key)), nil
}

func refuseUnset(key Key, command Command) error {
	if command.hasFile {
		return fail("%s is not set in %s", key, command.file)
	}
	return fail("%s is set nowhere", key)
}

func tellTakenOut(spot Spot) []string {
	var told []string
	for _, line := range spot.lines {
		told = append(told, fmt.Sprintf("%s taken out", line.Place))
	}
	return told
}

// finish checks everything as it will be, and writes it.
func finish(command Command, folder *Folder, texts map[string]string) (*Book, error) {
	after := folder.with(texts)
	book, err := openBook(after, command.performance, command.night)
	if err != nil {
		return nil, err
	}
	return book, after.write()
}
