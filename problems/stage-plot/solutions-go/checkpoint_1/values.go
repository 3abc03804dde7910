package main

import (
	"strconv"
	"strings"
)

// Kind is the kind of a value.
type Kind string

const (
	kindNumber Kind = "number"
	kindTruth  Kind = "truth"
	kindText   Kind = "text"
	kindList   Kind = "list"
)

const (
	textLimit = 60
	listLimit = 12
)

// Value is a number, the characters of a text or truth, or the items of a list.
type Value struct {
	Kind   Kind
	Number int
	Text   string
	Items  []Value
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (v Value) String() string {
	switch v.Kind {
	case kindNumber:
		return strconv.Itoa(v.Number)
	case kindText:
		return `"` + escaper.Replace(v.Text) + `"`
	case kindList:
		return "[" + joinItems(v.Items, Value.String) + "]"
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
