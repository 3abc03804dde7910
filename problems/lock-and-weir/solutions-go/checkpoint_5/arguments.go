package main

import (
	"errors"
	"fmt"
	"strings"
)

// arguments are what a command was given, by the names that the command has for them.
type arguments map[string]string

// Command is what the program can be told to do.
type Command struct {
	name        string
	positionals []string
	options     []string // each with a value
	run         func(given arguments) ([]string, error)
}

// parseArguments finds the command and what it was given. Its errors are faults of usage.
func parseArguments(commands []Command, args []string) (*Command, arguments, error) {
	if len(args) == 0 {
		return nil, nil, errors.New("missing command")
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
	given := arguments{}
	var free []string
	for len(args) > 0 {
		if !isOption(args[0]) {
			free, args = append(free, args[0]), args[1:]
			continue
		}
		rest, err := c.readOption(args, given)
		if err != nil {
			return nil, err
		}
		args = rest
	}
	if len(free) != len(c.positionals) {
		return nil, fmt.Errorf("usage: %s %s", c.name, strings.Join(c.positionals, " "))
	}
	for at, arg := range free {
		given[c.positionals[at]] = arg
	}
	return given, given.check()
}

func isOption(arg string) bool {
	return len(arg) > 1 && strings.HasPrefix(arg, "-")
}

// readOption reads an option and its value, and gives what follows them.
func (c *Command) readOption(args []string, given arguments) ([]string, error) {
	name, value, joined := strings.Cut(args[0], "=")
	rest := args[1:]
	if !c.knows(name) {
		return nil, fmt.Errorf("unknown option %s", args[0])
	}
	if !joined {
		if len(rest) == 0 {
			return nil, fmt.Errorf("%s needs a value", name)
		}
		value, rest = rest[0], rest[1:]
	}
	given[name] = value
	return rest, nil
}

func (c *Command) knows(option string) bool {
	for _, known := range c.options {
		if known == option {
			return true
		}
	}
	return false
}

func (given arguments) check() error {
	_, saves := given["--save"]
	if _, ends := given["--until"]; saves && !ends {
		return errors.New("--save needs --until")
	}
	return nil
}
