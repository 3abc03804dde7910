// The built-in functions.

import { divide, floorOf, fromCount, parseDecimal, printDecimal, printFixed, PLACES, remainder, roundTo, size, wholeUpTo } from './decimals'
import { nonZero } from './operators'
import { asNumber, asText, CellError, checkedSize, isTrue, ColumnValue, joined, type Place, printed, type Single } from './values'

/** An argument: a column only where the function takes columns. It holds no errors. */
export type Argument = Single | ColumnValue

/** An argument that is evaluated when it is looked at. */
export type Lazy = () => Argument

export interface Builtin {
  /** How many arguments it takes, at least and at most. */
  least: number
  most: number
  takesColumns: boolean
  call: (args: Lazy[], place: Place) => Single
}

const lazy = (count: number, call: Builtin['call']): Builtin => ({ least: count, most: count, takesColumns: false, call })

/** A function of a fixed number of single arguments, all of which are looked at first. */
const strict = (count: number, call: (args: Single[], place: Place) => Single): Builtin => (
  lazy(count, (args, place) => call(args.map(arg => arg() as Single), place))
)

/** A function of one or more arguments, whose columns stand for all their values. */
const aggregate = (call: (values: Single[], place: Place) => Single): Builtin => ({
  least: 1,
  most: Infinity,
  takesColumns: true,
  call: (args, place) => call(args.map(arg => arg()).flatMap(valuesOf), place)
})

const valuesOf = (argument: Argument): Single[] => (
  argument instanceof ColumnValue ? argument.entries as Single[] : [argument]
)

export const LIBRARY = new Map<string, Builtin>([
  ['if', lazy(3, choose)],
  ['iferror', lazy(2, fallBack)],
  ['round', strict(2, (args, place) => checkedSize(rounded(args, place).number, place))],
  ['floor', strict(1, ([number], place) => checkedSize(floorOf(asNumber(number, place)), place))],
  ['abs', strict(1, ([number], place) => size(asNumber(number, place)))],
  ['sum', aggregate((values, place) => checkedSize(total(values, place), place))],
  ['count', aggregate(values => fromCount(values.length))],
  ['avg', aggregate((values, place) => average(values, place))],
  ['min', aggregate((values, place) => someNumbers(values, place).reduce((a, b) => b < a ? b : a))],
  ['max', aggregate((values, place) => someNumbers(values, place).reduce((a, b) => b > a ? b : a))],
  ['lookup', { ...lazy(3, lookUp), takesColumns: true }],
  ['mod', strict(2, modulo)],
  ['len', strict(1, ([text], place) => fromCount(Array.from(asText(text, place)).length))],
  ['text', strict(2, fixedText)],
  ['number', strict(1, ([text], place) => parsed(asText(text, place), place))],
  ['error', strict(1, ([value], place) => { throw new CellError(joined(value), place) })]
])

/** What is wrong with so many arguments, or undefined. */
export function wrongCount (name: string, { least, most }: { least: number, most: number }, given: number): string | undefined {
  if (given >= least && given <= most) return undefined
  const expected = `${most > least ? 'at least ' : ''}${least} ${least === 1 ? 'argument' : 'arguments'}`
  return `${name} takes ${expected}, got ${given}`
}

function choose ([condition, yes, no]: Lazy[], place: Place): Single {
  return (isTrue(asNumber(condition() as Single, place)) ? yes() : no()) as Single
}

function fallBack ([value, fallback]: Lazy[]): Single {
  try {
    return value() as Single
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return fallback() as Single
  }
}

const total = (values: Single[], place: Place): bigint => numbers(values, place).reduce((a, b) => a + b, 0n)

function someNumbers (values: Single[], place: Place): bigint[] {
  const found = numbers(values, place)
  if (found.length === 0) throw new CellError('no values', place)
  return found
}

function average (values: Single[], place: Place): bigint {
  const count = someNumbers(values, place).length
  return divide(total(values, place), fromCount(count))
}

/** The value beside the first key that is the one looked for. */
function lookUp (args: Lazy[], place: Place): Single {
  const [key, keys, values] = args.map(arg => arg())
  if (key instanceof ColumnValue) throw new CellError('expected a single value, got a column', place)
  if (!(keys instanceof ColumnValue && values instanceof ColumnValue)) {
    throw new CellError('expected a column, got a single value', place)
  }
  if (keys.entries.length !== values.entries.length) throw new CellError('columns differ in length', place)
  const row = keys.entries.indexOf(key)
  if (row < 0) throw new CellError(`no row with ${printed(key)}`, place)
  return values.entries[row] as Single
}

const numbers = (args: Single[], place: Place): bigint[] => args.map(arg => asNumber(arg, place))

function rounded (args: Single[], place: Place): { number: bigint, places: number } {
  const [number, digits] = numbers(args, place)
  const places = wholeUpTo(digits, BigInt(PLACES))
  if (places === undefined) throw new CellError(`bad number of places ${printDecimal(digits)}`, place)
  return { number: roundTo(number, places), places }
}

function fixedText (args: Single[], place: Place): string {
  const { number, places } = rounded(args, place)
  return printFixed(number, places)
}

function modulo (args: Single[], place: Place): bigint {
  const [a, b] = numbers(args, place)
  return remainder(a, nonZero(b, place))
}

function parsed (text: string, place: Place): bigint {
  const [, minus, digits] = /^(-?)([0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? []
  const number = digits === undefined ? undefined : parseDecimal(digits)
  if (number === undefined) throw new CellError(`not a number '${text}'`, place)
  return minus === '-' ? -number : number
}
