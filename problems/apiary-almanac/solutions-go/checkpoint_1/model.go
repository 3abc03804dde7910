package main

var statistics = []string{"sum", "mean", "least", "most", "count"}

// Side is a side on which cells are aligned, or empty if that depends on the values.
type Side string

const (
	left  Side = "left"
	right Side = "right"
)

// Column is a column of the table of a section.
type Column struct {
	field string
	title *string // nil without a heading of its own
	width int     // 0 if it depends on the cells
	side  Side
}

func (c *Column) heading() string {
	if c.title != nil {
		return *c.title
	}
	return c.field
}

// Condition is a test of a record.
type Condition struct {
	field      string
	comparison string // a sign, or "missing" or "known"
	value      Value
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
	kind       string
	columns    []*Column
	conditions []Condition
	sorts      []Sort
	groups     []string
	totals     []Total
}

// Report is what a definition says.
type Report struct {
	title   *string // nil if it has none
	section *Section
}
