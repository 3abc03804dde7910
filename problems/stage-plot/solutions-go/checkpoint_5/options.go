package main

import "strings"

// Command is a command line that is understood.
type Command struct {
	arguments   []string
	performance Performance
	night       string
	file        string
	hasFile     bool
	locks       bool
}

func readCommand(words []string, rule Rule) (Command, error) {
	arguments, given, ok := split(words, rule.options)
	if !ok || len(arguments) < rule.least || len(arguments) > rule.most || !given.areValid() {
		return Command{}, errUsage
	}
	return Command{
		arguments:   arguments,
		performance: Performance{first(given["--venue"]), given["--profile"]},
		night:       first(given["--night"]),
		file:        first(given["--in"]),
		hasFile:     len(given["--in"]) > 0,
		locks:       len(given["--lock"]) > 0,
	}, nil
}

// Given has the values of each option.
type Given map[string][]string

func (g Given) areValid() bool {
	for name, values := range g {
		if name != "--profile" && len(values) > 1 {
			return false
		}
	}
	profiles := g["--profile"]
	return areNames(g["--venue"]) && areNames(g["--night"]) && areNames(profiles) && !hasTwice(profiles)
}

// split has the arguments, and what is given for each option. It is not ok if another option is
// given or a value is missing.
func split(words []string, options []string) (arguments []string, given Given, ok bool) {
	given = Given{}
	for at := 0; at < len(words); at++ {
		word := words[at]
		switch {
		case !strings.HasPrefix(word, "--"):
			arguments = append(arguments, word)
		case word == "--lock" && contains(options, word):
			given[word] = append(given[word], "")
		case contains(options, word) && at+1 < len(words):
			at++
			given[word] = append(given[word], words[at])
		default:
			return nil, nil, false
		}
	}
	return arguments, given, true
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}
