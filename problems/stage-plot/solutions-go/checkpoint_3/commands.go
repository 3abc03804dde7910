package main

import (
	"fmt"
	"strings"
)

// Rule says how many arguments a command takes, and what it does.
type Rule struct {
	least, most int
	run         func(book *Book, arguments []string) ([]string, error)
}

var rules = map[string]Rule{
	"get":     {2, 2, get},
	"origin":  {2, 2, origin},
	"table":   {1, 2, table},
	"check":   {1, 1, check},
	"explain": {2, 2, explain},
}

func run(words []string) ([]string, error) {
	command, err := readCommand(words)
	if err != nil {
		return nil, err
	}
	book, err := openBook(command.arguments[0], command.performance)
	if err != nil {
		return nil, err
	}
	return rules[command.name].run(book, command.arguments[1:])
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
