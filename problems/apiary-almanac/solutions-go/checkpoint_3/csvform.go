package main

import "strings"

// csvLines are the lines of a report as CSV: rows only, with the fields of their groups.
func csvLines(_ *Report, outlines []*Outline) []string {
	var lines []string
	for at, outline := range outlines {
		if at > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, csvSection(outline)...)
	}
	return lines
}

func csvSection(outline *Outline) []string {
	leading := hiddenGroups(outline.section)
	var headings []string
	for _, column := range append(leading, outline.section.columns...) {
		headings = append(headings, column.heading())
	}
	lines := []string{csvLine(headings)}
	for _, item := range outline.items {
		if row, ok := item.(Row); ok {
			lines = append(lines, csvRow(leading, row))
		}
	}
	return lines
}

// hiddenGroups are columns for the groups that no column shows.
func hiddenGroups(section *Section) []*Column {
	var hidden []*Column
	for _, field := range section.groups {
		isShown := false
		for _, column := range section.columns {
			isShown = isShown || column.field == field
		}
		if !isShown {
			hidden = append(hidden, &Column{field: field})
		}
	}
	return hidden
}

func csvRow(leading []*Column, row Row) string {
	var texts []string
	for _, column := range leading {
		texts = append(texts, cellOf(column, row.entry.fields[column.field]).exact)
	}
	for _, cell := range row.cells {
		texts = append(texts, cell.exact)
	}
	return csvLine(texts)
}

func csvLine(texts []string) string {
	quoted := make([]string, len(texts))
	for at, text := range texts {
		quoted[at] = csvQuoted(text)
	}
	return strings.Join(quoted, ",")
}

func csvQuoted(text string) string {
	if !strings.ContainsAny(text, `,"`) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
