package main

import (
	"regexp"
	"strconv"
)

// Unit is a unit of lengths or times; factor is its size in the smallest unit.
type Unit struct {
	name   string
	kind   Kind
	factor int
}

// units has the largest units of each kind first.
var units = []Unit{
	{"m", kindLength, 1000}, {"cm", kindLength, 10}, {"mm", kindLength, 1},
	{"h", kindTime, 3600}, {"min", kindTime, 60}, {"s", kindTime, 1},
}

var quantity = regexp.MustCompile(`^(-?[0-9]{1,9})([a-z]+)$`)

func parseQuantity(word string) (Value, bool) {
	found := quantity.FindStringSubmatch(word)
	if found == nil {
		return Value{}, false
	}
	for _, unit := range units {
		if unit.name == found[2] {
			number, err := strconv.Atoi(found[1])
			return Value{Kind: unit.kind, Number: number * unit.factor}, err == nil
		}
	}
	return Value{}, false
}

// showQuantity prints a size in the largest unit in which it is whole.
func showQuantity(kind Kind, size int) string {
	for _, unit := range units {
		if unit.kind == kind && size%unit.factor == 0 {
			return strconv.Itoa(size/unit.factor) + unit.name
		}
	}
	return strconv.Itoa(size)
}
