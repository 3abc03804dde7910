package main

import (
	"math/big"
	"sort"
	"strings"
)

// convertQuantities makes numbers of texts that are numbers with units.
func convertQuantities(units map[string]*big.Rat, record Record) {
	for name, value := range record {
		if text, ok := value.(Text); ok {
			record[name] = quantity(units, text)
		}
	}
}

func quantity(units map[string]*big.Rat, text Text) Value {
	written, unit, _ := strings.Cut(string(text), " ")
	number, ok := numberOf(written)
	if !ok || units[unit] == nil {
		return text
	}
	return Number{number.Mul(number.Rat, units[unit])}
}

// chosen are the records that a section shows, with what it joins and computes, in their order.
func chosen(section *Section, records []Record) ([]Record, error) {
	var found []Record
	joiner := newJoiner(section.joins, records)
	for _, record := range records {
		if record.kind() != section.kind {
			continue
		}
		record, err := joiner.joined(record)
		if err != nil {
			return nil, err
		}
		compute(section, record)
		if isWanted(section, record) {
			found = append(found, record)
		}
	}
	sortRecords(section, found)
	return found, nil
}

// compute adds the computed fields of a section, each of which sees those before it.
func compute(section *Section, record Record) {
	for _, computed := range section.computed {
		record[computed.name] = computed.expression(record)
	}
}

func isWanted(section *Section, record Record) bool {
	for _, condition := range section.conditions {
		if !condition.holds(record) {
			return false
		}
	}
	return true
}

func (c Condition) holds(record Record) bool {
	left := c.left(record)
	if c.right == nil {
		return (left == nil) == (c.comparison == "missing")
	}
	right := c.right(record)
	switch {
	case left == nil || right == nil:
		return false
	case isNumber(left) != isNumber(right):
		return c.comparison == "!="
	}
	return isMet(c.comparison, compareInTests(left, right))
}

// compareInTests compares two numbers or two texts.
func compareInTests(a, b Value) int {
	if a, ok := a.(Number); ok {
		return a.Cmp(b.(Number).Rat)
	}
	return strings.Compare(a.shown(), b.shown())
}

// isMet tells whether a comparison with this result meets the sign of a test.
func isMet(sign string, result int) bool {
	switch {
	case result < 0:
		return sign == "!=" || sign == "<" || sign == "<="
	case result > 0:
		return sign == "!=" || sign == ">" || sign == ">="
	}
	return sign == "=" || strings.HasSuffix(sign, "=") && sign != "!="
}

func sortRecords(section *Section, records []Record) {
	sorts := allSorts(section)
	sort.SliceStable(records, func(i, j int) bool {
		for _, by := range sorts {
			if order := by.compare(records[i][by.field], records[j][by.field]); order != 0 {
				return order < 0
			}
		}
		return false
	})
}

// allSorts begins with the sorts that keep the records of a group together.
func allSorts(section *Section) []Sort {
	var sorts []Sort
	for _, field := range section.keyFields() {
		sorts = append(sorts, Sort{field: field})
	}
	return append(sorts, section.sorts...)
}

// compare puts missing values last, also if the values are falling.
func (s Sort) compare(a, b Value) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	case s.falling:
		a, b = b, a
	}
	return compareInOrder(a, b)
}
