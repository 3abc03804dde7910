package main

import (
	"fmt"
	"sort"
	"strings"
)

// Place is a line of a file. Order is the rank of the file, the weakest first.
type Place struct {
	Order  int
	File   string
	Number int
}

func (p Place) String() string {
	return fmt.Sprintf("%s:%d", p.File, p.Number)
}

func (p Place) before(other Place) bool {
	if p.Order != other.Order {
		return p.Order < other.Order
	}
	return p.Number < other.Number
}

// Fault is what is wrong in a line, or with the value that it gives a key.
type Fault struct {
	Place   Place
	Key     Key
	Message string
}

func (f Fault) before(other Fault) bool {
	if f.Place != other.Place {
		return f.Place.before(other.Place)
	}
	if f.Key != other.Key {
		return f.Key.before(other.Key)
	}
	return f.Message < other.Message
}

// Failure ends a command; its lines are what is told.
type Failure []string

func (f Failure) Error() string {
	return strings.Join(f, "\n")
}

func fail(format string, words ...any) error {
	return Failure{"error: " + fmt.Sprintf(format, words...)}
}

// failureOf is the failure that tells all faults, each once, or nil if there are none.
func failureOf(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	sort.Slice(faults, func(i, j int) bool { return faults[i].before(faults[j]) })
	var lines []string
	for _, fault := range faults {
		lines = append(lines, fmt.Sprintf("%s: %s", fault.Place, fault.Message))
	}
	return Failure(unique(lines))
}

// unique has each line once, at its first place.
func unique(lines []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, line := range lines {
		if !seen[line] {
			kept = append(kept, line)
		}
		seen[line] = true
	}
	return kept
}
