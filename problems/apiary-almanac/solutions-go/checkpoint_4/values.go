package main

import (
	"math/big"
	"regexp"
	"strings"
	"time"
)

const (
	missingMark   = "n/a"
	shownDecimals = 3
	mostDecimals  = 6
)

var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$`)

// Value is the value of a field: a Number, a Text, a Period, or nil if it is missing.
type Value interface {
	// shown is the value as a cell shows it.
	shown() string
	// key is the same for equal values only.
	key() string
}

// Number is an exact number.
type Number struct{ *big.Rat }

// Text is a text that is not empty.
type Text string

// Period is a stretch of time. It is the text of its label, but is sorted by its first day.
type Period struct {
	label string
	first time.Time
}

func (n Number) shown() string { return plain(n, shownDecimals) }
func (n Number) key() string   { return "number " + n.RatString() }
func (t Text) shown() string   { return string(t) }
func (t Text) key() string     { return "text " + string(t) }
func (p Period) shown() string { return p.label }
func (p Period) key() string   { return Text(p.label).key() }

// numberOf gives the number that a text writes, if it writes one.
func numberOf(text string) (Number, bool) {
	if !numberForm.MatchString(text) {
		return Number{}, false
	}
	rat, ok := new(big.Rat).SetString(text)
	return Number{rat}, ok
}

func isNumber(value Value) bool {
	_, ok := value.(Number)
	return ok
}

// shown is a value, or none, as a cell shows it.
func shown(value Value) string {
	if value == nil {
		return missingMark
	}
	return value.shown()
}

func keyOf(value Value) string {
	if value == nil {
		return ""
	}
	return value.key()
}

// fixed writes a number with exactly so many decimals. Zero has no sign.
func fixed(number Number, decimals int) string {
	text := number.FloatString(decimals)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// plain writes a number with as many decimals as it needs, and at most so many.
func plain(number Number, most int) string {
	return strings.TrimSuffix(strings.TrimRight(fixed(number, most), "0"), ".")
}

// compareInOrder compares values that are not missing, in the order in which they are sorted.
func compareInOrder(a, b Value) int {
	if rankOf(a) != rankOf(b) {
		return rankOf(a) - rankOf(b)
	}
	switch a := a.(type) {
	case Number:
		return a.Cmp(b.(Number).Rat)
	case Period:
		if b := b.(Period); !a.first.Equal(b.first) {
			return int(a.first.Sub(b.first).Hours())
		}
	}
	return strings.Compare(a.shown(), b.shown())
}

func rankOf(value Value) int {
	switch value.(type) {
	case Number:
		return 0
	case Period:
		return 1
	}
	return 2
}
