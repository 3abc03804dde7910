package main

import (
	"fmt"
	"strings"
)

// arguments are what a command was given, by the names that the command has for them.
type arguments map[string]string

// Command is what the program can be told to do.
type Command struct {
	name        string
	positionals []string
	run         func(given arguments) ([]string, error)
}

// parseArguments finds the command and what it was given. Its errors are faults of usage.
func parseArguments(commands []Command, args []string) (*Command, arguments, error) {
	if len(args) == 0 {
		return nil, nil, fmt.Errorf("missing command")
	}
	for at := range commands {
		if commands[at].name == args[0] {
			given, err := commands[at].read(args[1:])
			return &commands[at], given, err
		}
	}
	return nil, nil, fmt.Errorf("unknown command %q", args[0])
}

func (c *Command) read(args []string) (arguments, error) {
	if len(args) != len(c.positionals) {
		return nil, fmt.Errorf("usage: %s %s", c.name, strings.Join(c.positionals, " "))
	}
	given := arguments{}
	for at, arg := range args {
		if isOption(arg) {
			return nil, fmt.Errorf("unknown option %s", arg)
		}
		given[c.positionals[at]] = arg
	}
	return given, nil
}

func isOption(arg string) bool {
	return len(arg) > 1 && strings.HasPrefix(arg, "-")
}
