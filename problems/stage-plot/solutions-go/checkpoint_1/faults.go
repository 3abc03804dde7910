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

// Fault is what is wrong in a line.
type Fault struct {
	Place   Place
	Message string
}

// Failure ends a command; its lines are what is told.
type Failure []string

func (f Failure) Error() string {
	return strings.Join(f, "\n")
}

func fail(format string, words ...any) error {
	return Failure{"error: " + fmt.Sprintf(format, words...)}
}

// failureOf is the failure that tells all faults, or nil if there are none.
func failureOf(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	sort.Slice(faults, func(i, j int) bool { return faults[i].Place.before(faults[j].Place) })
	var failure Failure
	for _, fault := range faults {
		failure = append(failure, fmt.Sprintf("%s: %s", fault.Place, fault.Message))
	}
	return failure
}
