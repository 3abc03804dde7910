package main

import (
	"errors"
	"strings"
)

// errNotUnderstood is told of words that are no command.
var errNotUnderstood = errors.New("usage: --dir FOLDER COMMAND ...")

// Words are what stands behind a command's name.
type Words struct {
	arguments []string
	options   map[string]string // a flag has an empty value
}

// has tells whether an option was given.
func (w Words) has(option string) bool {
	_, ok := w.options[option]
	return ok
}

// Request is a command with its words.
type Request struct {
	command *Command
	words   Words
}

// do checks the form of the words, and then carries them out.
func (r Request) do(folder *Folder) ([]string, error) {
	action, err := r.command.prepare(r.words)
	if err != nil {
		return nil, err
	}
	return action(folder)
}

// understandLine reads a command from a line, whose words are cut at single spaces.
func understandLine(line string) (Request, error) {
	name, _, _ := strings.Cut(line, " ")
	if command, ok := commands[name]; ok && command.plain {
		return understand(strings.SplitN(line, " ", command.arguments+1))
	}
	return understand(strings.Split(line, " "))
}

func understand(words []string) (Request, error) {
	command, ok := commands[words[0]]
	if !ok {
		return Request{}, errNotUnderstood
	}
	read := Words{options: map[string]string{}}
	for rest := words[1:]; len(rest) > 0; {
		if command.plain || !strings.HasPrefix(rest[0], "--") {
			read.arguments, rest = append(read.arguments, rest[0]), rest[1:]
			continue
		}
		var err error
		if rest, err = command.readOption(rest, read); err != nil {
			return Request{}, err
		}
	}
	if len(read.arguments) != command.arguments {
		return Request{}, errNotUnderstood
	}
	return Request{command: command, words: read}, nil
}

// readOption reads an option, with its value if it takes one, and gives the words behind it.
func (c *Command) readOption(words []string, read Words) ([]string, error) {
	name := words[0]
	takesValue, known := c.options[name]
	if !known || read.has(name) {
		return nil, errNotUnderstood
	}
	if !takesValue {
		read.options[name] = ""
		return words[1:], nil
	}
	if len(words) < 2 {
		return nil, errNotUnderstood
	}
	read.options[name] = words[1]
	return words[2:], nil
}
