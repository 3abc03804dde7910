package main

import (
	"fmt"
	"math/big"
	"strings"
)

const (
	narrowest  = 3
	widest     = 40
	mostGroups = 3
	mostRows   = 3
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
	report := &Report{units: map[string]*big.Rat{}, sections: []*Section{{}}}
	for _, line := range linesOf(texts) {
		if err := readLine(report, line); err != nil {
			return nil, err
		}
	}
	return report, finish(report)
}

// finish removes what all sections share, and checks the sections.
func finish(report *Report) error {
	if len(report.sections) > 1 {
		report.sections = report.sections[1:]
	}
	for _, section := range report.sections {
		if err := checkSection(section); err != nil {
			return err
		}
	}
	return nil
}

func readLine(report *Report, line Line) error {
	words := wordsOf(line.text)
	word := words.take()
	if read, ok := reportReaders[word]; ok {
		read(report, line.place, words)
	} else if read, ok := sectionReaders[word]; ok {
		read(report.current(), line.place, words)
	} else {
		words.fail("unknown word %s", word)
	}
	words.end()
	if words.err != nil {
		return fmt.Errorf("%s: %w", line.place, words.err)
	}
	return nil
}

// reportReaders read lines that belong to the whole report, or need to know it.
var reportReaders = map[string]func(report *Report, place string, words *Words){
	"title":   readTitle,
	"unit":    readUnit,
	"section": readSection,
	"column":  readColumn,
}

// sectionReaders read lines that belong to a section.
var sectionReaders = map[string]func(section *Section, place string, words *Words){
	"from":    readFrom,
	"join":    readJoin,
	"compute": readCompute,
	"period":  readPeriod,
	"where":   readWhere,
	"sort":    readSort,
	"group":   readGroup,
	"row":     readRow,
	"total":   readTotal,
}

func readTitle(report *Report, _ string, words *Words) {
	if report.title != nil {
		words.fail("title given twice")
	}
	title := words.text()
	report.title = &title
}

func readUnit(report *Report, _ string, words *Words) {
	name := words.name()
	if report.units[name] != nil {
		words.fail("unit %s given twice", name)
	}
	value := big.NewRat(1, 1)
	if words.more() {
		words.oneOf("=")
		value = words.number()
		if value.Sign() <= 0 {
			words.reject()
		}
		_, other := knownUnit(report, words)
		value.Mul(value, other)
	}
	report.units[name] = value
}

// knownUnit takes the name of a unit, and gives its value, too.
func knownUnit(report *Report, words *Words) (string, *big.Rat) {
	name := words.name()
	value := report.units[name]
	if value == nil {
		words.fail("no unit %s", name)
		value = new(big.Rat)
	}
	return name, value
}

func readSection(report *Report, place string, words *Words) {
	title := words.text()
	shared := report.sections[0]
	if shared.isBegun() {
		words.fail("section comes too late")
	}
	computed := append([]Computed{}, shared.computed...)
	report.sections = append(report.sections, &Section{place: place, title: &title, computed: computed})
}

func readFrom(section *Section, _ string, words *Words) {
	if section.kind != "" {
		words.fail("from given twice")
	}
	section.kind = words.name()
}

func readJoin(section *Section, place string, words *Words) {
	join := Join{place: place, kind: words.name()}
	join.name = join.kind
	if words.oneOf("as", "by") == "as" {
		join.name = words.name()
		words.oneOf("by")
	}
	for _, other := range section.joins {
		if other.name == join.name {
			words.fail("join %s given twice", join.name)
		}
	}
	join.theirs = words.name()
	words.oneOf("=")
	join.ours = words.field()
	section.joins = append(section.joins, join)
}

// computedName takes the name of a computed field, and the sign after it.
func computedName(section *Section, words *Words) string {
	name := words.name()
	if section.findComputed(name) != nil {
		words.fail("%s is computed twice", name)
	}
	words.oneOf("=")
	return name
}

func readCompute(section *Section, _ string, words *Words) {
	name := computedName(section, words)
	section.computed = append(section.computed, Computed{name: name, expression: readExpression(words)})
}

func readPeriod(section *Section, _ string, words *Words) {
	name := computedName(section, words)
	size := words.expect(func(word string) bool {
		_, ok := sizes[word]
		return ok
	})
	words.oneOf("of")
	field := words.field()
	expression := func(record Record) Value { return sizes[size].of(record[field]) }
	section.computed = append(section.computed, Computed{name, expression, size})
}

func readWhere(section *Section, _ string, words *Words) {
	section.conditions = append(section.conditions, readCondition(words))
}

func readCondition(words *Words) Condition {
	condition := Condition{left: readExpression(words)}
	condition.comparison = words.oneOf(append(comparisons, "is")...)
	if condition.comparison == "is" {
		condition.comparison = words.oneOf("missing", "known")
	} else {
		condition.right = readExpression(words)
	}
	return condition
}

func readSort(section *Section, place string, words *Words) {
	sort := Sort{place: place, field: words.field()}
	if words.more() {
		sort.falling = words.oneOf("down") == "down"
	}
	section.sorts = append(section.sorts, sort)
}

func readGroup(section *Section, _ string, words *Words) {
	if len(section.groups) == mostGroups {
		words.fail("more than %d groups", mostGroups)
	}
	section.groups = append(section.groups, words.field())
}

func readRow(section *Section, place string, words *Words) {
	if len(section.rows) == mostRows {
		words.fail("more than %d rows", mostRows)
	}
	row := RowField{place: place, field: words.field()}
	if words.more() {
		row.filled = words.oneOf("filled") == "filled"
	}
	section.rows = append(section.rows, row)
}

func readTotal(section *Section, place string, words *Words) {
	total := Total{place, words.field(), words.oneOf(statistics...)}
	section.totals = append(section.totals, total)
}
