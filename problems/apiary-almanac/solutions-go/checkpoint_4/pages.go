package main

import "strings"

// bottomLines is the number of lines of the bottom of a page: an empty one and the number.
const bottomLines = 2

// Page has some items of a section.
type Page struct {
	outline *Outline
	items   []Item
	isFirst bool
	isLast  bool
	before  []Record // the records of the pages before
}

// onlyPage has all items of a section.
func onlyPage(outline *Outline) *Page {
	return &Page{outline: outline, items: outline.items, isFirst: true, isLast: true}
}

// pagesOf fills each page of a section with as many pieces as it takes.
func pagesOf(report *Report, outline *Outline) []*Page {
	page := &Page{outline: outline, isFirst: true, isLast: true}
	pages := []*Page{page}
	pieces := piecesOf(outline.items)
	for at, piece := range pieces {
		isLast := at == len(pieces)-1
		if longer := page.with(piece, isLast); len(page.items) == 0 || longer.fits(report) {
			*page = *longer
			continue
		}
		page.isLast = false
		page = &Page{outline: outline, items: piece, isLast: isLast, before: page.records()}
		pages = append(pages, page)
	}
	return pages
}

// with is the page with one more piece.
func (p *Page) with(piece []Item, isLast bool) *Page {
	longer := *p
	longer.items = append(append([]Item{}, p.items...), piece...)
	longer.isLast = isLast
	return &longer
}

func (p *Page) fits(report *Report) bool {
	return len(p.lines(report.title)) <= report.page-bottomLines
}

// piecesOf divides items into those that stay together: a row after its headings, or totals.
func piecesOf(items []Item) [][]Item {
	var pieces [][]Item
	start := 0
	for at, item := range items {
		if _, isHeading := item.(GroupHeading); !isHeading {
			pieces = append(pieces, items[start:at+1])
			start = at + 1
		}
	}
	return pieces
}

// records are all records of the section up to the end of the page.
func (p *Page) records() []Record {
	records := append([]Record{}, p.before...)
	for _, item := range p.items {
		if row, ok := item.(Row); ok {
			records = append(records, row.entry.records...)
		}
	}
	return records
}

// lines are the lines of the page above its bottom.
func (p *Page) lines(title *string) []TableLine {
	numbers := numberNotes(p.items)
	lines := p.headLines(title)
	if !p.isFirst {
		lines = append(lines, p.carried(p.before, "brought forward")...)
	}
	lines = append(lines, bodyLines(p.items, numbers)...)
	if !p.isLast {
		lines = append(lines, p.carried(p.records(), "carried forward")...)
	}
	for at, note := range numbers.lines() {
		if at == 0 {
			lines = append(lines, textLine(""))
		}
		lines = append(lines, textLine(note))
	}
	return lines
}

func (p *Page) headLines(title *string) []TableLine {
	var lines []TableLine
	for _, text := range titleLines(title) {
		lines = append(lines, textLine(text))
	}
	section := p.outline.section
	if section.title != nil {
		text := *section.title
		if !p.isFirst {
			text += " (continued)"
		}
		lines = append(lines, textLine("== "+text+" =="), textLine(""))
	}
	return append(lines, headingCells(section.columns), rule)
}

// carried is the line of the sums of records, if the section has sums.
func (p *Page) carried(records []Record, label string) []TableLine {
	section := p.outline.section
	if !section.hasTotal("sum") {
		return nil
	}
	return []TableLine{{cells: totalCells(section, records, label, "sum")}}
}

func bodyLines(items []Item, numbers *NoteNumbers) []TableLine {
	if len(items) == 0 {
		return []TableLine{textLine("no records")}
	}
	var lines []TableLine
	var before Item
	for _, item := range items {
		lines = append(lines, itemLines(item, before, numbers)...)
		before = item
	}
	return lines
}

func itemLines(item, before Item, numbers *NoteNumbers) []TableLine {
	switch item := item.(type) {
	case GroupHeading:
		return groupLines(item, before)
	case Row:
		return []TableLine{{cells: numbers.mark(item.cells)}}
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
