package main

import (
	"fmt"
	"strings"
)

// Rule says how many arguments a command takes, and what it does.
type Rule struct {
	least, most int
	run         func(layers *Layers, arguments []string) ([]string, error)
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
	layers, err := openLayers(words[1])
	if err != nil {
		return nil, err
	}
	return rules[words[0]].run(layers, words[2:])
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

func get(layers *Layers, arguments []string) ([]string, error) {
	setting, err := layers.find(arguments[0])
	if err != nil {
		return nil, err
	}
	return []string{setting.Value.String()}, nil
}

func origin(layers *Layers, arguments []string) ([]string, error) {
	setting, err := layers.find(arguments[0])
	if err != nil {
		return nil, err
	}
	return []string{setting.Place.String()}, nil
}

func table(layers *Layers, arguments []string) ([]string, error) {
	var lines []string
	for _, key := range sortedKeys(layers.stacks) {
		if len(arguments) == 0 || key.within(Key(arguments[0])) {
			setting := layers.strongest(key)
			lines = append(lines, fmt.Sprintf("%s = %s # %s", key, setting.Value, setting.Place))
		}
	}
	return lines, nil
}

func check(layers *Layers, _ []string) ([]string, error) {
	counts := fmt.Sprintf("keys: %d, layers: %d, unused: %d", len(layers.stacks), len(layers.present), layers.unused())
	return []string{counts}, nil
}
