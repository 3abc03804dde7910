package main

import (
	"math/big"
	"strings"
)

// Expression computes a value from the fields of a record.
type Expression func(record Record) Value

// Operation computes a number of two others. It tells whether there is a result.
type Operation func(a, b *big.Rat) (*big.Rat, bool)

var (
	sums     = map[string]Operation{"+": add, "-": subtract}
	products = map[string]Operation{"*": multiply, "/": divide}
)

func add(a, b *big.Rat) (*big.Rat, bool)      { return new(big.Rat).Add(a, b), true }
func subtract(a, b *big.Rat) (*big.Rat, bool) { return new(big.Rat).Sub(a, b), true }
func multiply(a, b *big.Rat) (*big.Rat, bool) { return new(big.Rat).Mul(a, b), true }

func divide(a, b *big.Rat) (*big.Rat, bool) {
	if b.Sign() == 0 {
		return nil, false
	}
	return new(big.Rat).Quo(a, b), true
}

// readExpression reads texts that are joined, which bind least of all.
func readExpression(words *Words) Expression {
	parts := []Expression{readSum(words)}
	for words.took("&") {
		parts = append(parts, readSum(words))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return joined(parts)
}

func readSum(words *Words) Expression { return readOperators(words, sums, readProduct) }

func readProduct(words *Words) Expression { return readOperators(words, products, readSigned) }

// readOperators reads operators of one rank, from left to right.
func readOperators(words *Words, operators map[string]Operation, readOperand func(*Words) Expression) Expression {
	result := readOperand(words)
	for operators[words.next()] != nil {
		operation := operators[words.take()]
		result = calculated(operation, result, readOperand(words))
	}
	return result
}

func readSigned(words *Words) Expression {
	if words.took("-") {
		return calculated(subtract, constant(Number{new(big.Rat)}), readSigned(words))
	}
	return readAtom(words)
}

func readAtom(words *Words) Expression {
	next := words.next()
	switch {
	case isQuoted(next):
		return constant(Text(words.text()))
	case next != "" && next[0] >= '0' && next[0] <= '9':
		return constant(Number{words.number()})
	case words.took("("):
		inner := readExpression(words)
		words.oneOf(")")
		return inner
	}
	return readField(words)
}

// readField reads a field, or a function if a bracket follows its name.
func readField(words *Words) Expression {
	name := words.field()
	if name == "first" && words.took("(") {
		return readFirst(words)
	}
	if name == "round" && words.took("(") {
		return readRound(words)
	}
	return func(record Record) Value { return record[name] }
}

func readFirst(words *Words) Expression {
	choices := []Expression{readExpression(words)}
	for words.oneOf(",", ")") == "," {
		choices = append(choices, readExpression(words))
	}
	return func(record Record) Value {
		for _, choice := range choices {
			if value := choice(record); value != nil {
				return value
			}
		}
		return nil
	}
}

func readRound(words *Words) Expression {
	inner := readExpression(words)
	words.oneOf(",")
	decimals := words.whole("decimals", 0, mostDecimals)
	words.oneOf(")")
	return func(record Record) Value {
		number, ok := inner(record).(Number)
		if !ok {
			return nil
		}
		rounded, _ := new(big.Rat).SetString(number.FloatString(decimals))
		return Number{rounded}
	}
}

func constant(value Value) Expression {
	return func(Record) Value { return value }
}

// calculated is missing if an operand is not a number, or if there is no result.
func calculated(operation Operation, left, right Expression) Expression {
	return func(record Record) Value {
		a, isNumber := left(record).(Number)
		b, areNumbers := right(record).(Number)
		if !isNumber || !areNumbers {
			return nil
		}
		if result, ok := operation(a.Rat, b.Rat); ok {
			return Number{result}
		}
		return nil
	}
}

func joined(parts []Expression) Expression {
	return func(record Record) Value {
		var text strings.Builder
		for _, part := range parts {
			value := part(record)
			if value == nil {
				return nil
			}
			text.WriteString(value.shown())
		}
		return Text(text.String())
	}
}
