package main

import "fmt"

// textLines are the lines of a report as text, in one piece or in pages.
func textLines(report *Report, outlines []*Outline) []string {
	if report.page > 0 {
		return pagedLines(report, outlines)
	}
	lines := titleLines(report.title)
	for at, outline := range outlines {
		if at > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, writtenPages(nil, outline, []*Page{onlyPage(outline)})[0]...)
	}
	return lines
}

func titleLines(title *string) []string {
	if title == nil {
		return nil
	}
	return []string{*title, ""}
}

func pagedLines(report *Report, outlines []*Outline) []string {
	var pages [][]string
	for _, outline := range outlines {
		pages = append(pages, writtenPages(report.title, outline, pagesOf(report, outline))...)
	}
	var lines []string
	for at, page := range pages {
		lines = append(append(lines, page...), "")
		for space := len(page) + bottomLines; space < report.page; space++ {
			lines = append(lines, "")
		}
		lines = append(lines, fmt.Sprintf("page %d of %d", at+1, len(pages)))
	}
	return lines
}

// writtenPages are the pages of a section, whose columns are equally wide on all of them.
func writtenPages(title *string, outline *Outline, pages []*Page) [][]string {
	var all []TableLine
	for _, page := range pages {
		all = append(all, page.lines(title)...)
	}
	table := newTable(outline, all)
	var written [][]string
	for _, page := range pages {
		written = append(written, table.write(page.lines(title)))
	}
	return written
}
