package main

import "fmt"

// action carries out a command whose words have the right form, and gives the lines that it prints.
type action func(folder *Folder) ([]string, error)

// Command is what the program can be told to do.
type Command struct {
	arguments int
	options   map[string]bool // whether each takes a value
	plain     bool            // takes its last argument as it is, and has no options
	prepare   func(words Words) (action, error)
}

var commands map[string]*Command

func init() {
	ranges := map[string]bool{"--prefix": true, "--from": true, "--to": true}
	scans := map[string]bool{"--limit": true, "--reverse": false}
	for option := range ranges {
		scans[option] = true
	}
	commands = map[string]*Command{
		"put":    {arguments: 2, plain: true, prepare: put},
		"get":    {arguments: 1, prepare: get},
		"delete": {arguments: 1, prepare: deleteRecord},
		"scan":   {options: scans, prepare: scan},
		"count":  {options: ranges, prepare: count},
	}
}

func put(words Words) (action, error) {
	key, value := words.arguments[0], words.arguments[1]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if err := checkValue(value); err != nil {
		return nil, err
	}
	return func(folder *Folder) ([]string, error) {
		store, err := folder.store()
		if err != nil {
			return nil, err
		}
		word := "stored"
		if _, ok := store.value(key); ok {
			word = "replaced"
		}
		return []string{word + " " + key}, store.put(key, value)
	}, nil
}

func get(words Words) (action, error) {
	key := words.arguments[0]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return func(folder *Folder) ([]string, error) {
		store, err := folder.store()
		if err != nil {
			return nil, err
		}
		value, err := valueIn(store, key)
		if err != nil {
			return nil, err
		}
		return []string{value}, nil
	}, nil
}

// valueIn is the value of a record that has to be there.
func valueIn(view View, key string) (string, error) {
	value, ok := view.value(key)
	if !ok {
		return "", fmt.Errorf("no record %s", key)
	}
	return value, nil
}

func deleteRecord(words Words) (action, error) {
	key := words.arguments[0]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return func(folder *Folder) ([]string, error) {
		store, err := folder.store()
		if err != nil {
			return nil, err
		}
		if _, err := valueIn(store, key); err != nil {
			return nil, err
		}
		return []string{"deleted " + key}, store.remove(key)
	}, nil
}

func scan(words Words) (action, error) {
	return choosing(words, recordLines)
}

func count(words Words) (action, error) {
	return choosing(words, func(records []Record) []string {
		return []string{countLine(len(records))}
	})
}

// choosing tells something about the records that the options choose.
func choosing(words Words, tell func([]Record) []string) (action, error) {
	selection, err := readSelection(words)
	if err != nil {
		return nil, err
	}
	return func(folder *Folder) ([]string, error) {
		store, err := folder.store()
		if err != nil {
			return nil, err
		}
		return tell(selection.choose(store)), nil
	}, nil
}
