package main

import "math/big"

var ofNumbers = map[string]func(numbers []Number) *big.Rat{
	"sum":   sum,
	"mean":  mean,
	"least": func(numbers []Number) *big.Rat { return extreme(numbers, -1) },
	"most":  func(numbers []Number) *big.Rat { return extreme(numbers, 1) },
}

// statistic computes a statistic of values. It is nil if there are no numbers for it.
func statistic(name string, values []Value) Value {
	if name == "count" {
		return Number{big.NewRat(int64(len(known(values))), 1)}
	}
	var numbers []Number
	for _, value := range values {
		if number, ok := value.(Number); ok {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	return Number{ofNumbers[name](numbers)}
}

// known are the values that are not missing.
func known(values []Value) []Value {
	var found []Value
	for _, value := range values {
		if value != nil {
			found = append(found, value)
		}
	}
	return found
}

func sum(numbers []Number) *big.Rat {
	sum := new(big.Rat)
	for _, number := range numbers {
		sum.Add(sum, number.Rat)
	}
	return sum
}

func mean(numbers []Number) *big.Rat {
	return new(big.Rat).Quo(sum(numbers), big.NewRat(int64(len(numbers)), 1))
}

// extreme is the number for which comparisons with all others have this sign, or are 0.
func extreme(numbers []Number, sign int) *big.Rat {
	found := numbers[0].Rat
	for _, number := range numbers[1:] {
		if number.Cmp(found) == sign {
			found = number.Rat
		}
	}
	return found
}
