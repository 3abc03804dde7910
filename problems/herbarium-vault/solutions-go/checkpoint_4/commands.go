package main

import "fmt"

// action lets a session carry out a command whose words have the right form; it gives the lines that are printed.
type action func(session *Session) ([]string, error)

// Command is what the program can be told to do.
type Command struct {
	arguments int
	options   map[string]bool // whether each takes a value
	plain     bool            // takes its last argument as it is, and has no options
	batchOnly bool
	prepare   func(words Words) (action, error)
}

var commands map[string]*Command

func init() {
	limited := map[string]bool{"--limit": true}
	ranges := map[string]bool{"--prefix": true, "--from": true, "--to": true, "--as-of": true}
	scans := map[string]bool{"--limit": true, "--reverse": false}
	for option := range ranges {
		scans[option] = true
	}
	commands = map[string]*Command{
		"put":      {arguments: 2, plain: true, prepare: put},
		"get":      {arguments: 1, options: map[string]bool{"--as-of": true}, prepare: get},
		"delete":   {arguments: 1, prepare: deleteRecord},
		"scan":     {options: scans, prepare: scan},
		"count":    {options: ranges, prepare: count},
		"migrate":  {prepare: migrate},
		"verify":   {prepare: verify},
		"repair":   {prepare: repair},
		"version":  {prepare: version},
		"history":  {arguments: 1, options: limited, prepare: history},
		"diff":     {arguments: 2, prepare: diff},
		"restore":  {arguments: 2, prepare: restore},
		"revert":   {arguments: 1, prepare: revert},
		"begin":    {batchOnly: true, prepare: begin},
		"commit":   {batchOnly: true, prepare: commit},
		"rollback": {batchOnly: true, prepare: rollback},
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
	return func(session *Session) ([]string, error) {
		store, err := session.store()
		if err != nil {
			return nil, err
		}
		store.name(key)
		word := "stored"
		if _, ok := store.value(key); ok {
			word = "replaced"
		}
		return []string{word + " " + key}, store.change([]Change{{key: key, value: value}})
	}, nil
}

func get(words Words) (action, error) {
	key := words.arguments[0]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	asked, err := readAsOf(words)
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		view, err := asked.viewOf(session, key)
		if err != nil {
			return nil, err
		}
		value, err := valueIn(view, key)
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
	return func(session *Session) ([]string, error) {
		store, err := session.store()
		if err != nil {
			return nil, err
		}
		store.name(key)
		if _, err := valueIn(store, key); err != nil {
			return nil, err
		}
		return []string{"deleted " + key}, store.change([]Change{{key: key, deleted: true}})
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
	asked, err := readAsOf(words)
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		view, err := asked.view(session)
		if err != nil {
			return nil, err
		}
		return tell(selection.choose(view)), nil
	}, nil
}
