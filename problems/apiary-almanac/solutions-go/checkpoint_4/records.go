package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const longestText = 60

var (
	nameForm     = regexp.MustCompile(`^[a-z][a-z0-9_]{0,23}$`)
	errNotRecord = errors.New("not a record")
)

// Record has the values of fields. The values of missing fields are nil or absent.
type Record map[string]Value

func (r Record) kind() string { return shown(r["kind"]) }

// Member is a field as it is written in a file: a json.Number, a text, nil, or something else.
type Member struct {
	name string
	raw  any
}

func readLines(path string) ([]string, error) {
	content, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(content) {
		return nil, fmt.Errorf("cannot read %s", path)
	}
	return strings.Split(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n"), nil
}

// readRecords gives the records of all files, in their order.
func readRecords(paths []string) ([]Record, error) {
	var records []Record
	for _, path := range paths {
		lines, err := readLines(path)
		if err != nil {
			return nil, err
		}
		read := jsonRecord
		if strings.HasSuffix(path, ".csv") {
			read = new(csvReader).record
		}
		for at, line := range lines {
			record, err := readRecord(line, read)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, at+1, err)
			}
			if record != nil {
				records = append(records, record)
			}
		}
	}
	return records, nil
}

// readRecord gives the record of a line, or nil if the line has none.
func readRecord(line string, read func(line string) (Record, error)) (Record, error) {
	if strings.TrimSpace(line) == "" {
		return nil, nil
	}
	return read(line)
}

func jsonRecord(line string) (Record, error) {
	members, err := jsonMembers(line)
	if err != nil {
		return nil, err
	}
	return recordOf(members)
}

// jsonMembers gives the members of an object in the order in which they are written.
func jsonMembers(line string) ([]Member, error) {
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') || !json.Valid([]byte(line)) {
		return nil, errNotRecord
	}
	var members []Member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, errNotRecord
		}
		member := Member{name: name.(string)}
		if err := decoder.Decode(&member.raw); err != nil {
			return nil, errNotRecord
		}
		members = append(members, member)
	}
	return members, nil
}

func checkNames(names []string) error {
	for _, name := range names {
		if !nameForm.MatchString(name) {
			return fmt.Errorf("bad field '%s'", name)
		}
	}
	return nil
}

func recordOf(members []Member) (Record, error) {
	record := Record{}
	for _, member := range members {
		if err := checkNames([]string{member.name}); err != nil {
			return nil, err
		}
		value, ok := valueOf(member.raw)
		if !ok {
			return nil, fmt.Errorf("bad value for %s", member.name)
		}
		record[member.name] = value
	}
	if _, ok := record["kind"].(Text); !ok {
		return nil, errors.New("no kind")
	}
	return record, nil
}

// valueOf gives the value of a member, if it has an allowed form.
func valueOf(raw any) (Value, bool) {
	switch raw := raw.(type) {
	case nil:
		return nil, true
	case json.Number:
		number, ok := numberOf(raw.String())
		return number, ok
	case string:
		if raw == "" {
			return nil, true
		}
		return Text(raw), isPlainText(raw)
	}
	return nil, false
}

func isPlainText(text string) bool {
	isControl := func(character rune) bool { return character < ' ' }
	return utf8.RuneCountInString(text) <= longestText && strings.IndexFunc(text, isControl) < 0
}
