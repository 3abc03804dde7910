package main

import "strings"

var sideRules = map[Side]string{left: "---", right: "---:"}

// markdownLines are the lines of a report as Markdown.
func markdownLines(report *Report, outlines []*Outline) []string {
	var blocks []string
	if report.title != nil {
		blocks = append(blocks, "# "+escaped(*report.title))
	}
	for _, outline := range outlines {
		blocks = append(blocks, sectionBlocks(outline)...)
	}
	return strings.Split(strings.Join(blocks, "\n\n"), "\n")
}

func sectionBlocks(outline *Outline) []string {
	var blocks []string
	if title := outline.section.title; title != nil {
		blocks = append(blocks, "## "+escaped(*title))
	}
	if len(outline.items) == 0 {
		return append(blocks, "no records")
	}
	var table []string
	for _, item := range outline.items {
		heading, isHeading := item.(GroupHeading)
		if isHeading {
			blocks = append(blocks, tableBlock(table)...)
			blocks = append(blocks, strings.Repeat("#", heading.level+3)+" "+escaped(heading.text))
			table = nil
			continue
		}
		if table == nil {
			table = tableHead(outline)
		}
		table = append(table, tableLines(item)...)
	}
	return append(blocks, tableBlock(table)...)
}

// tableBlock is one block with the lines of a table, or none if there are no lines.
func tableBlock(lines []string) []string {
	if lines == nil {
		return nil
	}
	return []string{strings.Join(lines, "\n")}
}

func tableHead(outline *Outline) []string {
	var rules []string
	for _, side := range outline.sides {
		rules = append(rules, sideRules[side])
	}
	return []string{tableLine(escapedCells(headingCells(outline.section.columns).cells)), tableLine(rules)}
}

func tableLines(item Item) []string {
	if row, ok := item.(Row); ok {
		return []string{tableLine(escapedCells(row.cells))}
	}
	var lines []string
	if totals, ok := item.(Totals); ok {
		for _, cells := range totals.rows {
			texts := escapedCells(cells)
			texts[0] = "**" + texts[0] + "**"
			lines = append(lines, tableLine(texts))
		}
	}
	return lines
}

func tableLine(texts []string) string { return "| " + strings.Join(texts, " | ") + " |" }

func escapedCells(cells []Cell) []string {
	texts := make([]string, len(cells))
	for at, cell := range cells {
		texts[at] = escaped(cell.text)
	}
	return texts
}

func escaped(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
