package main

import (
	"encoding/json"
	"strings"
)

// csvReader reads the lines of a CSV file that are not empty. The first has the names of fields.
type csvReader struct{ names []string }

// record gives the record of a line, or nil for the line with the names.
func (r *csvReader) record(line string) (Record, error) {
	cells, ok := csvCells(line)
	if !ok {
		return nil, errNotRecord
	}
	if r.names == nil {
		r.names = cells
		return nil, checkNames(cells)
	}
	if len(cells) != len(r.names) {
		return nil, errNotRecord
	}
	members := make([]Member, len(cells))
	for at, cell := range cells {
		members[at] = Member{r.names[at], csvValue(cell)}
	}
	return recordOf(members)
}

// csvValue is a number if the cell is written as one.
func csvValue(cell string) any {
	if numberForm.MatchString(cell) {
		return json.Number(cell)
	}
	return cell
}

// csvCells divides a line at its commas, and tells whether its quotes are right.
func csvCells(line string) ([]string, bool) {
	var cells []string
	for {
		cell, rest, ok := firstCell(line)
		if !ok {
			return nil, false
		}
		cells = append(cells, cell)
		if rest == "" {
			return cells, true
		}
		line = rest[1:]
	}
}

// firstCell gives the first cell of a line and the rest, which is empty or begins with a comma.
func firstCell(line string) (cell, rest string, ok bool) {
	if strings.HasPrefix(line, `"`) {
		return quotedCell(line[1:])
	}
	cell, _, _ = strings.Cut(line, ",")
	return cell, line[len(cell):], true
}

// quotedCell reads a cell after its first quote.
func quotedCell(text string) (cell, rest string, ok bool) {
	var content strings.Builder
	for {
		before, after, closed := strings.Cut(text, `"`)
		if !closed {
			return "", "", false
		}
		content.WriteString(before)
		if !strings.HasPrefix(after, `"`) {
			return content.String(), after, after == "" || after[0] == ','
		}
		content.WriteByte('"')
		text = after[1:]
	}
}
