// What operators do with values.

import { divide, multiply, power, printDecimal } from './decimals'
import { asNumber, CellError, checkedSize, compareTexts, joined, type Place, type Single, truth } from './values'

type Arithmetic = (a: bigint, b: bigint, place: Place) => bigint

const ARITHMETIC = new Map<string, Arithmetic>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', multiply],
  ['/', (a, b, place) => divide(a, nonZero(b, place))],
  ['^', raise]
])

const ORDERINGS = new Map<string, (difference: number) => boolean>([
  ['<', difference => difference < 0],
  ['<=', difference => difference <= 0],
  ['>', difference => difference > 0],
  ['>=', difference => difference >= 0]
])

/** The value of an operator that looks at both sides. */
export function applyBinary (operator: string, left: Single, right: Single, place: Place): Single {
  if (operator === '&') return joined(left) + joined(right)
  if (operator === '=') return truth(left === right)
  if (operator === '<>') return truth(left !== right)
  const ordering = ORDERINGS.get(operator)
  if (ordering !== undefined) return truth(ordering(compare(left, right, place)))
  const a = asNumber(left, place)
  const b = asNumber(right, place)
  return checkedSize(ARITHMETIC.get(operator)!(a, b, place), place)
}

/** A divisor, which must not be 0. */
export function nonZero (divisor: bigint, place: Place): bigint {
  if (divisor === 0n) throw new CellError('division by zero', place)
  return divisor
}

function raise (base: bigint, exponent: bigint, place: Place): bigint {
  const result = power(base, exponent)
  if (result === undefined) throw new CellError(`bad exponent ${printDecimal(exponent)}`, place)
  return result
}

function compare (left: Single, right: Single, place: Place): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : left > right ? 1 : 0
  throw new CellError('cannot compare a number with text', place)
}
