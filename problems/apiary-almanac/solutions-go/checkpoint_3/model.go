package main

import (
	"math/big"
	"strings"
)

var statistics = []string{"sum", "mean", "least", "most", "count"}

var courseNames = []string{"running", "change"}

// Side is a side on which cells are aligned, or empty if that depends on the values.
type Side string

const (
	left  Side = "left"
	right Side = "right"
)

// Column is a column of the table of a section.
type Column struct {
	place     string
	field     string
	title     *string // nil without a heading of its own
	width     int     // 0 if it depends on the cells
	side      Side
	decimals  *int // nil if it depends on the numbers
	unit      string
	factor    *big.Rat // the value of the unit, or nil
	instead   *string  // what is shown for a missing value, or nil
	statistic string
	course    string
}

func (c *Column) heading() string {
	if c.title != nil {
		return *c.title
	}
	words := []string{c.field}
	for _, word := range []string{c.statistic, c.course} {
		if word != "" {
			words = append(words, word)
		}
	}
	if c.unit != "" && !c.isCount() {
		words = append(words, "("+c.unit+")")
	}
	return strings.Join(words, " ")
}

func (c *Column) isCount() bool { return c.statistic == "count" }

// Condition is a test of a record.
type Condition struct {
	left       Expression
	comparison string     // a sign, or "missing" or "known"
	right      Expression // nil without a sign
}

// Join connects records of a kind with the records of a section.
type Join struct {
	place  string
	name   string
	kind   string
	theirs string
	ours   string
}

// Computed is a field that is computed.
type Computed struct {
	name       string
	expression Expression
	size       string // of a period, or empty
}

// Sort is a field by which rows are sorted.
type Sort struct {
	place   string
	field   string
	falling bool
}

// RowField is a field whose values make the rows.
type RowField struct {
	place  string
	field  string
	filled bool
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
	joins      []Join
	computed   []Computed
	columns    []*Column
	conditions []Condition
	sorts      []Sort
	groups     []string
	rows       []RowField
	totals     []Total
}

// isBegun tells whether the section has other lines than those that all sections may share.
func (s *Section) isBegun() bool {
	lines := len(s.columns) + len(s.conditions) + len(s.sorts) + len(s.groups) + len(s.totals)
	lines += len(s.joins) + len(s.rows)
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

// keyFields are the fields by which rows of several records differ.
func (s *Section) keyFields() []string {
	fields := append([]string{}, s.groups...)
	for _, row := range s.rows {
		fields = append(fields, row.field)
	}
	return fields
}

// Report is what a definition says.
type Report struct {
	title    *string // nil if it has none
	units    map[string]*big.Rat
	sections []*Section
}

// current is the section to which the next line belongs.
func (r *Report) current() *Section { return r.sections[len(r.sections)-1] }
