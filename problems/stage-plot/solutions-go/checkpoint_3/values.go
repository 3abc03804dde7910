package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a value.
type Kind string

const (
	kindNumber Kind = "number"
	kindTruth  Kind = "truth"
	kindText   Kind = "text"
	kindList   Kind = "list"
	kindLength Kind = "length"
	kindTime   Kind = "time"
	// kindReference is the kind of what is written, never of a value.
	kindReference Kind = "reference"
)

const (
	textLimit = 60
	listLimit = 12
)

// Value is what a key has in the end: a number, the characters of a text or truth, or the items of a
// list. Of a length or time, the number is the size in its smallest unit.
type Value struct {
	Kind   Kind
	Number int
	Text   string
	Items  []Value
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `${`, `\${`)

func (v Value) String() string {
	switch v.Kind {
	case kindNumber:
		return strconv.Itoa(v.Number)
	case kindText:
		return `"` + escaper.Replace(v.Text) + `"`
	case kindList:
		return "[" + joinItems(v.Items, Value.String) + "]"
	case kindLength, kindTime:
		return showQuantity(v.Kind, v.Number)
	}
	return v.Text
}

func joinItems(items []Value, show func(Value) string) string {
	var shown []string
	for _, item := range items {
		shown = append(shown, show(item))
	}
	return strings.Join(shown, ", ")
}

// characters is what stands for a value inside a text.
func (v Value) characters() string {
	switch v.Kind {
	case kindText:
		return v.Text
	case kindList:
		return joinItems(v.Items, Value.characters)
	}
	return v.String()
}

func (v Value) isTooLong() bool {
	return v.Kind == kindText && v.size() > textLimit || v.Kind == kindList && v.size() > listLimit
}

// isCounted tells whether the size of a value is how many characters or items it has.
func (v Value) isCounted() bool {
	return v.Kind == kindText || v.Kind == kindList
}

func (v Value) size() int {
	switch v.Kind {
	case kindText:
		return utf8.RuneCountInString(v.Text)
	case kindList:
		return len(v.Items)
	}
	return v.Number
}

// without has the items that are not equal to any of others.
func without(items, others []Value) []Value {
	gone := map[string]bool{}
	for _, item := range others {
		gone[item.String()] = true
	}
	var kept []Value
	for _, item := range items {
		if !gone[item.String()] {
			kept = append(kept, item)
		}
	}
	return kept
}
