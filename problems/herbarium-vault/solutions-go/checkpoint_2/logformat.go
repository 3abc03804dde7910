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

var sequenceForm = regexp.MustCompile(`^[1-9][0-9]*$`)

// parseChange reads the payload of an entry; false says that it has none of the forms.
func parseChange(payload string) (Change, bool) {
	number, rest, _ := strings.Cut(payload, " ")
	word, rest, _ := strings.Cut(rest, " ")
	sequence, err := strconv.Atoi(number)
	if err != nil || !sequenceForm.MatchString(number) {
		return Change{}, false
	}
	key, value, hasValue := strings.Cut(rest, " ")
	change := Change{sequence: sequence, key: key, value: value, deleted: word == "del"}
	switch word {
	case "put":
		return change, checkKey(key) == nil && isValue(value)
	case "del":
		return change, checkKey(key) == nil && !hasValue
	}
	return change, false
}
