// Reads expressions over the fields of a record.

import { Fraction } from './fractions'
import type { Expression } from './model'
import { isNumber, MAX_DECIMALS, shown, valueOf, type Value } from './values'
import { isQuoted, type Words } from './words'

/** Computes a number of two others, or null. */
type Operation = (a: Fraction, b: Fraction) => Fraction | null

const SUMS = new Map<string, Operation>([
  ['+', (a, b) => a.plus(b)],
  ['-', (a, b) => a.minus(b)]
])

const PRODUCTS = new Map<string, Operation>([
  ['*', (a, b) => a.times(b)],
  ['/', (a, b) => b.sign === 0 ? null : a.dividedBy(b)]
])

/** Texts that are joined bind least of all. */
export function readExpression (words: Words): Expression {
  const parts = [readSum(words)]
  while (words.took('&')) parts.push(readSum(words))
  return parts.length === 1 ? parts[0] : joined(parts)
}

function readSum (words: Words): Expression {
  return readOperators(words, SUMS, readProduct)
}

function readProduct (words: Words): Expression {
  return readOperators(words, PRODUCTS, readSigned)
}

/** Operators of one rank, from left to right. */
function readOperators (
  words: Words, operators: Map<string, Operation>, readOperand: (words: Words) => Expression
): Expression {
  let result = readOperand(words)
  let operation = operators.get(words.next())
  while (operation !== undefined) {
    words.take()
    result = calculated(operation, result, readOperand(words))
    operation = operators.get(words.next())
  }
  return result
}

function readSigned (words: Words): Expression {
  if (!words.took('-')) return readAtom(words)
  return calculated((a, b) => a.minus(b), () => new Fraction(0n), readSigned(words))
}

function readAtom (words: Words): Expression {
  if (isQuoted(words.next())) return constant(words.text())
  if (/^[0-9]/.test(words.next())) return constant(words.number())
  if (words.took('(')) {
    const inner = readExpression(words)
    words.oneOf(')')
    return inner
  }
  return readField(words)
}

/** A field, or a function if a bracket follows its name. */
function readField (words: Words): Expression {
  const name = words.field()
  if (name === 'first' && words.took('(')) return readFirst(words)
  if (name === 'round' && words.took('(')) return readRound(words)
  return fields => valueOf(fields, name)
}

function readFirst (words: Words): Expression {
  const choices = [readExpression(words)]
  while (words.oneOf(',', ')') === ',') choices.push(readExpression(words))
  return fields => firstKnown(choices.map(choice => choice(fields)))
}

function firstKnown (values: Value[]): Value {
  return values.find(value => value !== null) ?? null
}

function readRound (words: Words): Expression {
  const inner = readExpression(words)
  words.oneOf(',')
  const decimals = words.whole('decimals', 0, MAX_DECIMALS)
  words.oneOf(')')
  return fields => {
    const number = inner(fields)
    return isNumber(number) ? Fraction.parse(number.fixed(decimals)) : null
  }
}

function constant (value: Value): Expression {
  return () => value
}

/** Missing if an operand is not a number, or if there is no result. */
function calculated (operation: Operation, left: Expression, right: Expression): Expression {
  return fields => {
    const a = left(fields)
    const b = right(fields)
    return isNumber(a) && isNumber(b) ? operation(a, b) : null
  }
}

function joined (parts: Expression[]): Expression {
  return fields => {
    const values = parts.map(part => part(fields))
    return values.includes(null) ? null : values.map(shown).join('')
  }
}
