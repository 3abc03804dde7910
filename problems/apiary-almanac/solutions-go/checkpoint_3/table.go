package main

import (
	"strings"
	"unicode/utf8"
)

const (
	widestByItself = 30
	cut            = "~"
	gap            = "  "
)

// TableLine is a line before the widths of columns are known: a text, cells, or a rule.
type TableLine struct {
	text   string
	cells  []Cell
	isRule bool
}

var rule = TableLine{isRule: true}

func textLine(text string) TableLine { return TableLine{text: text} }

func headingCells(columns []*Column) TableLine {
	var cells []Cell
	for _, column := range columns {
		cells = append(cells, Cell{text: column.heading()})
	}
	return TableLine{cells: cells}
}

// Table has the sides and widths of columns.
type Table struct {
	sides  []Side
	widths []int
}

// newTable makes columns as wide as the cells of the lines need.
func newTable(outline *Outline, lines []TableLine) *Table {
	table := &Table{sides: outline.sides}
	for at, column := range outline.section.columns {
		width := column.width
		if width == 0 {
			width = widthOf(lines, at)
		}
		table.widths = append(table.widths, width)
	}
	return table
}

func widthOf(lines []TableLine, at int) int {
	width := 0
	for _, line := range lines {
		if line.cells == nil {
			continue
		}
		if length := utf8.RuneCountInString(line.cells[at].text); length > width {
			width = length
		}
	}
	if width > widestByItself {
		return widestByItself
	}
	return width
}

func (t *Table) write(lines []TableLine) []string {
	var written []string
	for _, line := range lines {
		written = append(written, t.line(line))
	}
	return written
}

func (t *Table) line(line TableLine) string {
	if line.cells == nil && !line.isRule {
		return line.text
	}
	var parts []string
	for at, width := range t.widths {
		if line.isRule {
			parts = append(parts, strings.Repeat("-", width))
		} else {
			parts = append(parts, aligned(fitted(line.cells[at], width), t.sides[at], width))
		}
	}
	return strings.TrimRight(strings.Join(parts, gap), " ")
}

// fitted is what a cell shows in a width.
func fitted(cell Cell, width int) string {
	characters := []rune(cell.text)
	switch {
	case len(characters) <= width:
		return cell.text
	case cell.isNumber:
		return strings.Repeat("#", width)
	}
	return string(characters[:width-1]) + cut
}

func aligned(text string, side Side, width int) string {
	space := strings.Repeat(" ", width-utf8.RuneCountInString(text))
	if side == right {
		return space + text
	}
	return text + space
}
