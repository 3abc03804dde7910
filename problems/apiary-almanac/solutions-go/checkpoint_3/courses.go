package main

import "math/big"

var courses = map[string]func(values []Value) []Value{"running": running, "change": change}

// followCourses replaces the values of columns that depend on the rows above.
func followCourses(section *Section, entries []*Entry) {
	fields := section.keyFields()
	if len(section.rows) > 0 {
		fields = fields[:len(fields)-1]
	}
	for _, run := range entryRuns(entries, fields) {
		for at, column := range section.columns {
			if column.course != "" {
				follow(courses[column.course], at, run)
			}
		}
	}
}

func follow(course func(values []Value) []Value, at int, run []*Entry) {
	values := make([]Value, len(run))
	for row, entry := range run {
		values[row] = entry.values[at]
	}
	for row, value := range course(values) {
		run[row].values[at] = value
	}
}

// running are the sums so far, which are missing until there is a number.
func running(values []Value) []Value {
	result := make([]Value, len(values))
	var soFar Value
	for at, value := range values {
		if number, ok := value.(Number); ok {
			sum := new(big.Rat).Set(number.Rat)
			if before, ok := soFar.(Number); ok {
				sum.Add(sum, before.Rat)
			}
			soFar = Number{sum}
		}
		result[at] = soFar
	}
	return result
}

// change are the differences from the values before.
func change(values []Value) []Value {
	result := make([]Value, len(values))
	for at := 1; at < len(values); at++ {
		number, isNumber := values[at].(Number)
		before, wasNumber := values[at-1].(Number)
		if isNumber && wasNumber {
			result[at] = Number{new(big.Rat).Sub(number.Rat, before.Rat)}
		}
	}
	return result
}
