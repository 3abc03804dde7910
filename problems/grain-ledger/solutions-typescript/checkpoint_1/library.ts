// The built-in functions.

import { floorOf, fromCount, parseDecimal, printDecimal, printFixed, PLACES, remainder, roundTo, size, wholeUpTo } from './decimals'
import { nonZero } from './operators'
import { asNumber, asText, CellError, checkedSize, isTrue, joined, type Place, type Single } from './values'

/** An argument that is evaluated when it is looked at. */
export type Lazy = () => Single

export interface Builtin {
  /** How many arguments it takes, at least and at most. */
  least: number
  most: number
  call: (args: Lazy[], place: Place) => Single
}

type Strict = (args: Single[], place: Place) => Single

/** A function of a fixed number of arguments, all of which are looked at first. */
const strict = (count: number, call: Strict): Builtin => ({ ...variadic(call), least: count, most: count })

/** A function of one or more arguments. */
const variadic = (call: Strict): Builtin => (
  { least: 1, most: Infinity, call: (args, place) => call(args.map(arg => arg()), place) }
)

export const LIBRARY = new Map<string, Builtin>([
  ['if', { least: 3, most: 3, call: choose }],
  ['iferror', { least: 2, most: 2, call: fallBack }],
  ['round', strict(2, (args, place) => checkedSize(rounded(args, place).number, place))],
  ['floor', strict(1, ([number], place) => checkedSize(floorOf(asNumber(number, place)), place))],
  ['abs', strict(1, ([number], place) => size(asNumber(number, place)))],
  ['min', variadic((args, place) => numbers(args, place).reduce((a, b) => b < a ? b : a))],
  ['max', variadic((args, place) => numbers(args, place).reduce((a, b) => b > a ? b : a))],
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
  return isTrue(asNumber(condition(), place)) ? yes() : no()
}

function fallBack ([value, fallback]: Lazy[]): Single {
  try {
    return value()
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    return fallback()
  }
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
