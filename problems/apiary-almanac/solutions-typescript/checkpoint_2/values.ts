// Values of fields.

import { Fraction } from './fractions'

/** A number, a text, or null if the value is missing. */
export type Value = Fraction | string | null

/** A record: its values by field. Missing fields are null or absent. */
export type Fields = Map<string, Value>

export const MISSING_MARK = 'n/a'
export const SHOWN_DECIMALS = 3
export const MAX_DECIMALS = 6

const NUMBER = /^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$/

export function valueOf (fields: Fields, name: string): Value {
  return fields.get(name) ?? null
}

/** The number that a text writes, or null. */
export function numberOf (text: string): Fraction | null {
  return NUMBER.test(text) ? Fraction.parse(text) : null
}

export function isNumber (value: Value): value is Fraction {
  return value instanceof Fraction
}

/** A value as a cell shows it. */
export function shown (value: Value): string {
  if (value === null) return MISSING_MARK
  return isNumber(value) ? value.plain(SHOWN_DECIMALS) : String(value)
}

/** A text that is the same for equal values only. */
export function keyOf (value: Value): string {
  if (value === null) return 'missing'
  return `${isNumber(value) ? 'number' : 'text'} ${String(value)}`
}

/** Compares texts in the order of code points. */
export function compareTexts (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Compares two numbers or two texts. */
export function compareAlike (a: NonNullable<Value>, b: NonNullable<Value>): number {
  return isNumber(a) && isNumber(b) ? a.compare(b) : compareTexts(String(a), String(b))
}

/** Compares in the order in which values are sorted. */
export function compareInOrder (a: NonNullable<Value>, b: NonNullable<Value>): number {
  return Number(isNumber(b)) - Number(isNumber(a)) || compareAlike(a, b)
}

/** Divides a list into runs of neighbours with the same key. */
export function runs<T> (items: T[], key: (item: T) => string): T[][] {
  const found: T[][] = []
  let last: string | undefined
  for (const item of items) {
    const own = key(item)
    if (own === last) found[found.length - 1].push(item)
    else found.push([item])
    last = own
  }
  return found
}
