package main

// Cell is what a table shows in one place.
type Cell struct {
	text     string
	isNumber bool
}

func cellOf(value Value) Cell { return Cell{shown(value), isNumber(value)} }

// columnSide is the side that the column gives, and otherwise right if all values are numbers.
func columnSide(column *Column, values []Value) Side {
	if column.side != "" {
		return column.side
	}
	values = known(values)
	for _, value := range values {
		if !isNumber(value) {
			return left
		}
	}
	if len(values) == 0 {
		return left
	}
	return right
}
