package main

// Outline is a section with its items, before it is written in any form.
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
	cells []Cell
	entry *Entry
}

// Totals are the lines of the totals of some records.
type Totals struct{ rows [][]Cell }

func outlineOf(section *Section, records []Record) *Outline {
	entries := entriesOf(section, records)
	outline := &Outline{section: section, items: itemsOf(section, entries, 0)}
	for at, column := range section.columns {
		outline.sides = append(outline.sides, columnSide(column, columnValues(entries, at)))
	}
	if len(entries) > 0 {
		outline.items = append(outline.items, totalsOf(section, records, "all")...)
	}
	return outline
}

func columnValues(entries []*Entry, at int) []Value {
	values := make([]Value, len(entries))
	for row, entry := range entries {
		values[row] = entry.values[at]
	}
	return values
}

// itemsOf gives the items of rows that are equal in the groups outside of a level.
func itemsOf(section *Section, entries []*Entry, level int) []Item {
	var items []Item
	if level == len(section.groups) {
		for _, entry := range entries {
			items = append(items, Row{rowCells(section, entry), entry})
		}
		return items
	}
	field := section.groups[level]
	for _, members := range entryRuns(entries, []string{field}) {
		value := shown(members[0].fields[field])
		items = append(items, GroupHeading{level, field + ": " + value})
		items = append(items, itemsOf(section, members, level+1)...)
		items = append(items, totalsOf(section, recordsOf(members), value)...)
	}
	return items
}

func recordsOf(entries []*Entry) []Record {
	var records []Record
	for _, entry := range entries {
		records = append(records, entry.records...)
	}
	return records
}

func rowCells(section *Section, entry *Entry) []Cell {
	var cells []Cell
	for at, column := range section.columns {
		cell := entryCell(column, entry.values[at])
		cell.notes = notesOf(section, column, entry)
		cells = append(cells, cell)
	}
	return cells
}

func entryCell(column *Column, value Value) Cell {
	if column.isCount() && value != nil {
		return countCell(value)
	}
	return cellOf(column, value)
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
		if total.statistic == name && column.shows(total) {
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
