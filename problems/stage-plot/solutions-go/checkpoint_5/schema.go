package main

import (
	"errors"
	"fmt"
	"strings"
)

const schemaFile = "schema.cue"

// Range limits a value, or how many characters or items it has.
type Range struct {
	low, high Value
}

func (r *Range) String() string {
	return fmt.Sprintf("%s..%s", r.low, r.high)
}

// problem is what is wrong with a value, or empty.
func (r *Range) problem(value Value) string {
	size := value.size()
	switch {
	case r.low.Number <= size && size <= r.high.Number:
		return ""
	case value.isCounted():
		return fmt.Sprintf("has length %d, outside %s", size, r)
	}
	return fmt.Sprintf("is %s, outside %s", value, r)
}

// Declaration is a line that says what a key may be. The limits may be nil.
type Declaration struct {
	place    Place
	key      Key
	kind     Kind
	limits   *Range
	required bool
}

// Schema says which keys there may be, and what they may be.
type Schema struct {
	declarations []*Declaration
	faults       []Fault
	renames      *Renames
}

func readSchema(text string) *Schema {
	schema := &Schema{renames: newRenames()}
	for _, line := range linesOf(text) {
		place := Place{-1, schemaFile, line.number}
		if err := schema.readLine(place, withoutComment(line.text)); err != nil {
			schema.faults = append(schema.faults, Fault{Place: place, Message: err.Error()})
		}
	}
	return schema
}

func (s *Schema) readLine(place Place, line string) error {
	if strings.Contains(line, "->") && !strings.Contains(line, ":") {
		return s.renames.read(place.Number, line)
	}
	declaration, err := readDeclaration(place, line)
	if err != nil {
		return err
	}
	if earlier := s.named(declaration.key); earlier != nil {
		return fmt.Errorf("%s is declared twice, first in line %d", earlier.key, earlier.place.Number)
	}
	s.declarations = append(s.declarations, declaration)
	return nil
}

// named is the declaration that has exactly this key, or nil.
func (s *Schema) named(key Key) *Declaration {
	for _, declaration := range s.declarations {
		if declaration.key == key {
			return declaration
		}
	}
	return nil
}

// find is the declaration of a key, or nil.
func (s *Schema) find(key Key) *Declaration {
	if declaration := s.named(key); declaration != nil {
		return declaration
	}
	for _, declaration := range s.declarations {
		if declaration.key.matches(key) {
			return declaration
		}
	}
	return nil
}

func readDeclaration(place Place, line string) (*Declaration, error) {
	before, after, found := strings.Cut(line, ":")
	words := wordsOf(after)
	if !found || len(words) == 0 {
		return nil, errors.New("bad line")
	}
	key, ok := parsePattern(trim(before))
	if !ok {
		return nil, fmt.Errorf("bad key '%s'", trim(before))
	}
	if !isKind(words[0]) {
		return nil, fmt.Errorf("bad kind '%s'", words[0])
	}
	declaration := &Declaration{place: place, key: key, kind: Kind(words[0])}
	for _, word := range words[1:] {
		if err := declaration.readWord(word); err != nil {
			return nil, err
		}
	}
	return declaration, nil
}

func isKind(word string) bool {
	switch Kind(word) {
	case kindNumber, kindTruth, kindText, kindList, kindLength, kindTime:
		return true
	}
	return false
}

func (d *Declaration) readWord(word string) error {
	if strings.Contains(word, "..") {
		return d.readRange(word)
	}
	if word != "required" || d.required || d.key.hasStars() {
		return fmt.Errorf("bad word '%s'", word)
	}
	d.required = true
	return nil
}

func (d *Declaration) readRange(word string) error {
	before, after, _ := strings.Cut(word, "..")
	low, lowOk := d.readLimit(before)
	high, highOk := d.readLimit(after)
	if !lowOk || !highOk || low.Number > high.Number {
		return fmt.Errorf("bad range '%s'", word)
	}
	if d.limits != nil {
		return fmt.Errorf("bad word '%s'", word)
	}
	d.limits = &Range{low, high}
	return nil
}

// readLimit reads one end of the range.
func (d *Declaration) readLimit(text string) (Value, bool) {
	wanted := d.kind
	if d.kind == kindText || d.kind == kindList {
		wanted = kindNumber
	}
	value, _, err := parseValue(text)
	return value.Value, err == nil && value.Kind == wanted && wanted != kindTruth
}
