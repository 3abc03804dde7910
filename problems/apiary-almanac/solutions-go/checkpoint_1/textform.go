package main

// textLines are the lines of a report as text.
func textLines(report *Report, outline *Outline) []string {
	lines := titleLines(report)
	draft := append([]TableLine{headingCells(outline.section.columns), rule}, bodyLines(outline.items)...)
	return append(lines, newTable(outline, draft).write(draft)...)
}

func titleLines(report *Report) []string {
	if report.title == nil {
		return nil
	}
	return []string{*report.title, ""}
}

func bodyLines(items []Item) []TableLine {
	if len(items) == 0 {
		return []TableLine{textLine("no records")}
	}
	var lines []TableLine
	for at, item := range items {
		switch item := item.(type) {
		case GroupHeading:
			if at > 0 {
				lines = append(lines, textLine(""))
			}
			lines = append(lines, textLine(item.text))
		case Row:
			lines = append(lines, TableLine{cells: item.cells})
		case Totals:
			lines = append(lines, totalsLines(item)...)
		}
	}
	return lines
}

func totalsLines(totals Totals) []TableLine {
	lines := []TableLine{rule}
	for _, cells := range totals.rows {
		lines = append(lines, TableLine{cells: cells})
	}
	return lines
}
