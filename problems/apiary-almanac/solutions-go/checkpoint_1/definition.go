package main

import (
	"fmt"
	"strings"
)

const (
	narrowest = 3
	widest    = 40
)

var comparisons = []string{"=", "!=", "<", "<=", ">", ">="}

// Line is a line of a definition, and its place in messages.
type Line struct {
	place string
	text  string
}

func linesOf(texts []string) []Line {
	var lines []Line
	for at, text := range texts {
		if text := strings.TrimSpace(text); text != "" && !strings.HasPrefix(text, "#") {
			lines = append(lines, Line{fmt.Sprintf("line %d", at+1), text})
		}
	}
	return lines
}

func readDefinition(path string) (*Report, error) {
	texts, err := readLines(path)
	if err != nil {
		return nil, err
	}
	report := &Report{section: &Section{}}
	for _, line := range linesOf(texts) {
		if err := readLine(report, line); err != nil {
			return nil, err
		}
	}
	return report, checkSection(report.section)
}

func readLine(report *Report, line Line) error {
	words := wordsOf(line.text)
	word := words.take()
	if read, ok := lineReaders[word]; ok {
		read(report, line.place, words)
	} else {
		words.fail("unknown word %s", word)
	}
	words.end()
	if words.err != nil {
		return fmt.Errorf("%s: %w", line.place, words.err)
	}
	return nil
}

var lineReaders = map[string]func(report *Report, place string, words *Words){
	"title":  readTitle,
	"from":   readFrom,
	"column": readColumn,
	"where":  readWhere,
	"sort":   readSort,
	"group":  readGroup,
	"total":  readTotal,
}

func readTitle(report *Report, _ string, words *Words) {
	if report.title != nil {
		words.fail("title given twice")
	}
	title := words.text()
	report.title = &title
}

func readFrom(report *Report, _ string, words *Words) {
	if report.section.kind != "" {
		words.fail("from given twice")
	}
	report.section.kind = words.field()
}

func readColumn(report *Report, _ string, words *Words) {
	column := &Column{field: words.field()}
	for words.more() {
		readOption(column, words)
	}
	report.section.columns = append(report.section.columns, column)
}

func readOption(column *Column, words *Words) {
	switch word := words.oneOf("as", "width", "left", "right"); word {
	case "as":
		title := words.text()
		column.title = &title
	case "width":
		column.width = words.whole("width", narrowest, widest)
	default:
		column.side = Side(word)
	}
}

func readWhere(report *Report, _ string, words *Words) {
	condition := Condition{field: words.field()}
	condition.comparison = words.oneOf(append(comparisons, "is")...)
	if condition.comparison == "is" {
		condition.comparison = words.oneOf("missing", "known")
	} else {
		condition.value = words.value()
	}
	report.section.conditions = append(report.section.conditions, condition)
}

func readSort(report *Report, _ string, words *Words) {
	sort := Sort{field: words.field()}
	if words.more() {
		sort.falling = words.oneOf("down") == "down"
	}
	report.section.sorts = append(report.section.sorts, sort)
}

func readGroup(report *Report, _ string, words *Words) {
	if len(report.section.groups) > 0 {
		words.fail("group given twice")
	}
	report.section.groups = append(report.section.groups, words.field())
}

func readTotal(report *Report, place string, words *Words) {
	total := Total{place, words.field(), words.oneOf(statistics...)}
	report.section.totals = append(report.section.totals, total)
}
