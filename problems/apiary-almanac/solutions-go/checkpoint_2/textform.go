package main

import "strings"

// textLines are the lines of a report as text.
func textLines(report *Report, outlines []*Outline) []string {
	lines := titleLines(report)
	for at, outline := range outlines {
		if at > 0 {
			lines = append(lines, "")
		}
		draft := draftLines(outline)
		lines = append(lines, newTable(outline, draft).write(draft)...)
	}
	return lines
}

func titleLines(report *Report) []string {
	if report.title == nil {
		return nil
	}
	return []string{*report.title, ""}
}

func draftLines(outline *Outline) []TableLine {
	var lines []TableLine
	if title := outline.section.title; title != nil {
		lines = append(lines, textLine("== "+*title+" =="), textLine(""))
	}
	lines = append(lines, headingCells(outline.section.columns), rule)
	return append(lines, bodyLines(outline.items)...)
}

func bodyLines(items []Item) []TableLine {
	if len(items) == 0 {
		return []TableLine{textLine("no records")}
	}
	var lines []TableLine
	var before Item
	for _, item := range items {
		lines = append(lines, itemLines(item, before)...)
		before = item
	}
	return lines
}

func itemLines(item, before Item) []TableLine {
	switch item := item.(type) {
	case GroupHeading:
		return groupLines(item, before)
	case Row:
		return []TableLine{{cells: item.cells}}
	case Totals:
		return totalsLines(item)
	}
	return nil
}

// groupLines has an empty line unless the heading comes first or directly after another one.
func groupLines(heading GroupHeading, before Item) []TableLine {
	line := textLine(strings.Repeat(gap, heading.level) + heading.text)
	if _, follows := before.(GroupHeading); follows || before == nil {
		return []TableLine{line}
	}
	return []TableLine{textLine(""), line}
}

func totalsLines(totals Totals) []TableLine {
	lines := []TableLine{rule}
	for _, cells := range totals.rows {
		lines = append(lines, TableLine{cells: cells})
	}
	return lines
}
