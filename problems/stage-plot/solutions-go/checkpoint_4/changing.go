package main

import (
	"fmt"
	"strings"
)

func setValue(command Command, folder *Folder) ([]string, error) {
	book, err := openBook(folder, command.performance, command.night)
	if err != nil {
		return nil, err
	}
	key, text, err := readEquation(command.arguments[1], command.arguments[2])
	if err != nil {
		return nil, err
	}
	spot, err := findSpot(book, key, command)
	if err != nil {
		return nil, err
	}
	content, err := folder.require(spot.file)
	if err != nil {
		return nil, err
	}
	document := newDocument(content)
	number := putValue(document, spot, key, text)
	changed, err := finish(command, folder, map[string]string{spot.file: document.text()})
	if err != nil {
		return nil, err
	}
	told := fmt.Sprintf("%s:%d %s = %s", spot.file, number, key, text)
	return []string{told, changed.equation(key)}, nil
}

// putValue changes the spot; it is the number of the changed or new line.
func putValue(document *Document, spot Spot, key Key, text string) int {
	if len(spot.lines) == 0 {
		number := lineBefore(document.text(), key)
		document.insert(number, fmt.Sprintf("%s = %s", key, text))
		return number + 1
	}
	document.replace(spot.lines[0], text)
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
