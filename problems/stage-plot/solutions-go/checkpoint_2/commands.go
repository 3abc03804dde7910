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
	"get":    {2, 2, get},
	"origin": {2, 2, origin},
	"table":  {1, 2, table},
	"check":  {1, 1, check},
}

func run(words []string) ([]string, error) {
	if !understood(words) {
		return nil, errUsage
	}
	book, err := openBook(words[1])
	if err != nil {
		return nil, err
	}
	return rules[words[0]].run(book, words[2:])
}

func understood(words []string) bool {
	for _, word := range words {
		if strings.HasPrefix(word, "--") {
			return false
		}
	}
	if len(words) == 0 {
		return false
	}
	rule, known := rules[words[0]]
	arguments := len(words) - 1
	return known && rule.least <= arguments && arguments <= rule.most
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
