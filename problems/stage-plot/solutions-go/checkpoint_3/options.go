package main

import "strings"

// Command is a command line that is understood.
type Command struct {
	name        string
	arguments   []string
	performance Performance
}

func readCommand(words []string) (Command, error) {
	if len(words) == 0 {
		return Command{}, errUsage
	}
	rule, known := rules[words[0]]
	arguments, given, ok := split(words[1:])
	if !known || !ok || len(arguments) < rule.least || len(arguments) > rule.most {
		return Command{}, errUsage
	}
	venues, profiles := given["--venue"], given["--profile"]
	if len(venues) > 1 || !areNames(venues) || !areNames(profiles) || hasTwice(profiles) {
		return Command{}, errUsage
	}
	return Command{words[0], arguments, Performance{first(venues), profiles}}, nil
}

// split has the arguments, and the values of each option. It is not ok if another option is given or
// a value is missing.
func split(words []string) (arguments []string, given map[string][]string, ok bool) {
	given = map[string][]string{"--venue": nil, "--profile": nil}
	for at := 0; at < len(words); at++ {
		word := words[at]
		values, known := given[word]
		switch {
		case !strings.HasPrefix(word, "--"):
			arguments = append(arguments, word)
		case known && at+1 < len(words):
			at++
			given[word] = append(values, words[at])
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
