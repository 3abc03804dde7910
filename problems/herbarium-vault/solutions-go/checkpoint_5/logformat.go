package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"
)

const (
	logName   = "vault.log"
	logHeader = "vault-log 1\n"
)

// Change is what happened to one key.
type Change struct {
	sequence int
	key      string
	value    string
	deleted  bool
}

func (c Change) payload() string {
	if c.deleted {
		return fmt.Sprintf("%d del %s", c.sequence, c.key)
	}
	return fmt.Sprintf("%d put %s %s", c.sequence, c.key, c.value)
}

// versionPayloads are the entries of a version with these changes, in key order.
func versionPayloads(changes []Change) []string {
	var payloads []string
	if len(changes) > 1 {
		payloads = append(payloads, fmt.Sprintf("%d group %d", changes[0].sequence, len(changes)))
	}
	for _, change := range changes {
		payloads = append(payloads, change.payload())
	}
	return payloads
}

func checksum(text []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) }

// frame is the line of an entry.
func frame(payload string) string {
	return fmt.Sprintf("%d %s %s\n", len(payload), checksum([]byte(payload)), payload)
}

// unframe gives the payload of a line without its line feed, if the line is framed.
func unframe(line []byte) (payload string, ok bool) {
	length, rest, _ := bytes.Cut(line, []byte(" "))
	sum, framed, _ := bytes.Cut(rest, []byte(" "))
	if string(length) != strconv.Itoa(len(framed)) || string(sum) != checksum(framed) {
		return "", false
	}
	return string(framed), true
}

// Entry is a payload: a change, or what else a log tells.
type Entry struct {
	sequence int
	word     string
	rest     string // behind the word and a space
	bare     bool   // without that space
}

func (e Entry) payload() string { return fmt.Sprintf("%d %s %s", e.sequence, e.word, e.rest) }

func (e Entry) isBase() bool { return e.word == "base" && e.bare }

var wholeForm = regexp.MustCompile(`^[1-9][0-9]*$`)

// readWhole reads a whole number of at least 1, without leading zeros.
func readWhole(text string) (int, bool) {
	number, err := strconv.Atoi(text)
	return number, err == nil && wholeForm.MatchString(text)
}

// parseEntry reads the payload of an entry; false says that it has not the form.
func parseEntry(payload string) (Entry, bool) {
	number, rest, _ := strings.Cut(payload, " ")
	word, rest, hasRest := strings.Cut(rest, " ")
	sequence, ok := readWhole(number)
	return Entry{sequence: sequence, word: word, rest: rest, bare: !hasRest}, ok
}

// change is the change that the entry is; false says that it is none.
func (e Entry) change() (Change, bool) {
	key, value, hasValue := strings.Cut(e.rest, " ")
	change := Change{sequence: e.sequence, key: key, value: value, deleted: e.word == "del"}
	switch e.word {
	case "put":
		return change, checkKey(key) == nil && isValue(value)
	case "del":
		return change, checkKey(key) == nil && !hasValue
	}
	return change, false
}

// groupSize is the number of changes that the entry announces; false says that it does not.
func (e Entry) groupSize() (int, bool) {
	size, ok := readWhole(e.rest)
	return size, ok && e.word == "group" && size >= smallestGroup
}

const smallestGroup = 2
