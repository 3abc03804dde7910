package main

import (
	"fmt"
	"strings"
)

// Rule says how many arguments and which options a command takes, and what it does.
type Rule struct {
	least, most int
	options     []string
	run         func(command Command, folder *Folder) ([]string, error)
}

var (
	readingOptions  = []string{"--venue", "--profile", "--night"}
	changingOptions = []string{"--venue", "--profile", "--night", "--in"}
)

var rules = map[string]Rule{
	"get":     {2, 2, readingOptions, asking(get)},
	"origin":  {2, 2, readingOptions, asking(origin)},
	"table":   {1, 2, readingOptions, asking(table)},
	"check":   {1, 1, readingOptions, asking(check)},
	"explain": {2, 2, readingOptions, asking(explain)},
	"diff":    {3, 3, []string{"--venue", "--profile"}, diff},
	"set":     {3, 3, changingOptions, setValue},
	"unset":   {2, 2, changingOptions, unset},
	"move":    {3, 3, readingOptions, move},
}

// asking makes a command of a function that only asks something of the book.
func asking(ask func(book *Book, arguments []string) ([]string, error)) func(Command, *Folder) ([]string, error) {
	return func(command Command, folder *Folder) ([]string, error) {
		book, err := openBook(folder, command.performance, command.night)
		if err != nil {
			return nil, err
		}
		return ask(book, command.arguments[1:])
	}
}

func run(words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, errUsage
	}
	rule, known := rules[words[0]]
	if !known {
		return nil, errUsage
	}
	command, err := readCommand(words[1:], rule)
	if err != nil {
		return nil, err
	}
	return rule.run(command, openFolder(command.arguments[0]))
}

func get(book *Book, arguments []string) ([]string, error) {
	key, err := book.find(arguments[0])
	if err != nil {
		return nil, err
	}
	return []string{book.values[key].String()}, nil
}

func origin(book *Book, arguments []string) ([]string, error) {
	key, err := book.find(arguments[0])
	if err != nil {
		return nil, err
	}
	return book.origins(key), nil
}

func table(book *Book, arguments []string) ([]string, error) {
	var lines []string
	for _, key := range sortedKeys(book.values) {
		if len(arguments) == 0 || key.within(Key(arguments[0])) {
			lines = append(lines, book.equation(key)+" # "+strings.Join(book.origins(key), ", "))
		}
	}
	return lines, nil
}

func check(book *Book, _ []string) ([]string, error) {
	counts := fmt.Sprintf("keys: %d, layers: %d, unused: %d", len(book.values), len(book.layers.present), book.unused())
	return []string{counts}, nil
}

func diff(command Command, folder *Folder) ([]string, error) {
	old, err := openBook(folder, command.performance, command.arguments[1])
	if err != nil {
		return nil, err
	}
	fresh, err := openBook(folder, command.performance, command.arguments[2])
	if err != nil {
		return nil, err
	}
	lines := differences(old, fresh)
	if len(lines) == 0 {
		lines = []string{"no difference"}
	}
	return lines, nil
}
