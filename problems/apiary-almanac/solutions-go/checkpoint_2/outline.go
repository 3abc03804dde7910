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
	level int
	text  string
}

// Row is a row of the table.
type Row struct {
	cells  []Cell
	record Record
}

// Totals are the lines of the totals of some records.
type Totals struct{ rows [][]Cell }

func outlineOf(section *Section, records []Record) *Outline {
	outline := &Outline{section: section}
	for _, column := range section.columns {
		outline.sides = append(outline.sides, columnSide(column, valuesOf(records, column.field)))
	}
	outline.items = itemsOf(section, records, 0)
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

// itemsOf gives the items of records that are equal in the groups outside of a level.
func itemsOf(section *Section, records []Record, level int) []Item {
	var items []Item
	if level == len(section.groups) {
		for _, record := range records {
			items = append(items, Row{rowCells(section, record), record})
		}
		return items
	}
	field := section.groups[level]
	for _, members := range runs(records, func(record Record) string { return keyOf(record[field]) }) {
		value := shown(members[0][field])
		items = append(items, GroupHeading{level, field + ": " + value})
		items = append(items, itemsOf(section, members, level+1)...)
		items = append(items, totalsOf(section, members, value)...)
	}
	return items
}

func rowCells(section *Section, record Record) []Cell {
	var cells []Cell
	for _, column := range section.columns {
		cells = append(cells, cellOf(column, record[column.field]))
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
			return statisticCell(column, name, valuesOf(records, column.field))
		}
	}
	return Cell{}
}

func statisticCell(column *Column, name string, values []Value) Cell {
	if name == "count" {
		return countCell(statistic(name, values))
	}
	return cellOf(column, statistic(name, values))
}
