package main

import (
	"sort"
	"strings"
)

// chosen are the records that a section shows, in their order.
func chosen(section *Section, records []Record) []Record {
	var found []Record
	for _, record := range records {
		if record.kind() == section.kind && isWanted(section, record) {
			found = append(found, record)
		}
	}
	sortRecords(section, found)
	return found
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
	value := record[c.field]
	switch {
	case c.comparison == "missing" || c.comparison == "known":
		return (value == nil) == (c.comparison == "missing")
	case value == nil:
		return false
	case isNumber(value) != isNumber(c.value):
		return c.comparison == "!="
	}
	return isMet(c.comparison, compareInOrder(value, c.value))
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
	for _, field := range section.groups {
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
