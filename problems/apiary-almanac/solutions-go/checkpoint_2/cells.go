package main

import (
	"math/big"
)

// Cell is what a table shows in one place.
type Cell struct {
	text     string
	isNumber bool
	exact    string // what is written for programs
}

// cellOf is the cell of a value in a column.
func cellOf(column *Column, value Value) Cell {
	switch value := value.(type) {
	case nil:
		if column.instead != nil {
			return Cell{text: *column.instead}
		}
		return Cell{text: missingMark}
	case Number:
		return numberCell(column, value)
	}
	return Cell{text: value.shown(), exact: value.shown()}
}

func numberCell(column *Column, number Number) Cell {
	if column.factor != nil {
		number = Number{new(big.Rat).Quo(number.Rat, column.factor)}
	}
	if column.decimals == nil {
		return Cell{text: number.shown(), isNumber: true, exact: plain(number, mostDecimals)}
	}
	text := fixed(number, *column.decimals)
	return Cell{text: text, isNumber: true, exact: text}
}

// countCell is the cell of a count, which has neither unit nor decimals.
func countCell(count Value) Cell {
	return Cell{text: count.shown(), isNumber: true, exact: count.shown()}
}

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
