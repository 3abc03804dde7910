package main

// Outline is a section with its items, before it is written.
type Outline struct {
	section *Section
	sides   []Side // of the columns
	items   []Item
}

// Item is a part of an outline: a GroupHeading, a Row, or Totals.
type Item interface{}

// GroupHeading begins a group.
type GroupHeading struct {
	text string
}

// Row is a row of the table.
type Row struct {
	cells []Cell
}

// Totals are the lines of the totals of some records.
type Totals struct{ rows [][]Cell }

func outlineOf(section *Section, records []Record) *Outline {
	outline := &Outline{section: section}
	for _, column := range section.columns {
		outline.sides = append(outline.sides, columnSide(column, valuesOf(records, column.field)))
	}
	if len(section.groups) == 0 {
		outline.items = rowsOf(section, records)
	}
	for _, field := range section.groups {
		for _, members := range runs(records, func(record Record) string { return keyOf(record[field]) }) {
			outline.items = append(outline.items, groupItems(section, field, members)...)
		}
	}
	if len(records) > 0 {
		outline.items = append(outline.items, totalsOf(section, records, "all")...)
	}
	return outline
}

func valuesOf(records []Record, field string) []Value {
	values := make([]Value, len(records))
	for at, record := range records {
		values[at] = record[field]
	}
	return values
}

func rowsOf(section *Section, records []Record) []Item {
	var items []Item
	for _, record := range records {
		items = append(items, Row{rowCells(section, record)})
	}
	return items
}

func groupItems(section *Section, field string, members []Record) []Item {
	value := shown(members[0][field])
	items := []Item{GroupHeading{field + ": " + value}}
	items = append(items, rowsOf(section, members)...)
	return append(items, totalsOf(section, members, value)...)
}

func rowCells(section *Section, record Record) []Cell {
	var cells []Cell
	for _, column := range section.columns {
		cells = append(cells, cellOf(record[column.field]))
	}
	return cells
}

// totalsOf gives one item with the totals of records, or none if the section has no totals.
func totalsOf(section *Section, records []Record, label string) []Item {
	var rows [][]Cell
	for _, name := range statistics {
		if section.hasTotal(name) {
			rows = append(rows, totalCells(section, records, label+" "+name, name))
		}
	}
	if rows == nil {
		return nil
	}
	return []Item{Totals{rows}}
}

func (s *Section) hasTotal(statistic string) bool {
	for _, total := range s.totals {
		if total.statistic == statistic {
			return true
		}
	}
	return false
}

func totalCells(section *Section, records []Record, label, name string) []Cell {
	cells := []Cell{{text: label}}
	for _, column := range section.columns[1:] {
		cells = append(cells, totalCell(section, records, column, name))
	}
	return cells
}

func totalCell(section *Section, records []Record, column *Column, name string) Cell {
	for _, total := range section.totals {
		if total.field == column.field && total.statistic == name {
			return cellOf(statistic(name, valuesOf(records, column.field)))
		}
	}
	return Cell{}
}
