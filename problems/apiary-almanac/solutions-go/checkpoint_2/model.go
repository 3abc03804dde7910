package main

import (
	"math/big"
)

var statistics = []string{"sum", "mean", "least", "most", "count"}

// Side is a side on which cells are aligned, or empty if that depends on the values.
type Side string

const (
	left  Side = "left"
	right Side = "right"
)

// Column is a column of the table of a section.
type Column struct {
	field    string
	title    *string // nil without a heading of its own
	width    int     // 0 if it depends on the cells
	side     Side
	decimals *int // nil if it depends on the numbers
	unit     string
	factor   *big.Rat // the value of the unit, or nil
	instead  *string  // what is shown for a missing value, or nil
}

func (c *Column) heading() string {
	if c.title != nil {
		return *c.title
	}
	if c.unit != "" {
		return c.field + " (" + c.unit + ")"
	}
	return c.field
}

// Condition is a test of a record.
type Condition struct {
	left       Expression
	comparison string     // a sign, or "missing" or "known"
	right      Expression // nil without a sign
}

// Computed is a field that is computed.
type Computed struct {
	name       string
	expression Expression
}

// Sort is a field by which rows are sorted.
type Sort struct {
	field   string
	falling bool
}

// Total is a statistic below the columns of a field.
type Total struct {
	place     string
	field     string
	statistic string
}

// Section is a table of records of one kind.
type Section struct {
	place      string
	title      *string // nil if it has none
	kind       string
	computed   []Computed
	columns    []*Column
	conditions []Condition
	sorts      []Sort
	groups     []string
	totals     []Total
}

// isBegun tells whether the section has other lines than those that all sections may share.
func (s *Section) isBegun() bool {
	lines := len(s.columns) + len(s.conditions) + len(s.sorts) + len(s.groups) + len(s.totals)
	return s.kind != "" || lines > 0
}

func (s *Section) findComputed(name string) *Computed {
	for at := range s.computed {
		if s.computed[at].name == name {
			return &s.computed[at]
		}
	}
	return nil
}

// Report is what a definition says.
type Report struct {
	title    *string // nil if it has none
	units    map[string]*big.Rat
	sections []*Section
}

// current is the section to which the next line belongs.
func (r *Report) current() *Section { return r.sections[len(r.sections)-1] }
