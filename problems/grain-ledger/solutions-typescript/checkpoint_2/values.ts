// Values: numbers (as decimals.ts has them), texts, and errors, which say where they arose.

import { fromCount, isTooLarge, printDecimal } from './decimals'

/** Where something stands: what holds it (a line of a file), and the column there. */
export interface Place {
  where: string
  column: number
}

/** An error as a value. It is thrown to spread, and caught where a definition or `iferror` ends it. */
export class CellError {
  constructor (readonly message: string, readonly place: Place) {}
}

export type Single = bigint | string

export type Value = Single | CellError

/** The values of a column, from top to bottom. */
export class ColumnValue {
  /** The first error among them. */
  readonly error: CellError | undefined

  constructor (readonly entries: Value[]) {
    this.error = entries.find((entry): entry is CellError => entry instanceof CellError)
  }
}

export function printed (value: Value): string {
  if (value instanceof CellError) return `!${value.message} at ${value.place.where}:${value.place.column}`
  return typeof value === 'bigint' ? printDecimal(value) : quoted(value)
}

export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** As a text: itself, or how the number is printed. */
export const joined = (value: Single): string => typeof value === 'bigint' ? printDecimal(value) : value

export function asNumber (value: Single, place: Place): bigint {
  if (typeof value === 'bigint') return value
  throw new CellError('expected a number, got text', place)
}

export function asText (value: Single, place: Place): string {
  if (typeof value === 'string') return value
  throw new CellError('expected text, got a number', place)
}

/** A result of arithmetic, unless it is too large. */
export function checkedSize (number: bigint, place: Place): bigint {
  if (isTooLarge(number)) throw new CellError('number too large', place)
  return number
}

export const truth = (decided: boolean): bigint => decided ? ONE : ZERO

export const isTrue = (number: bigint): boolean => number !== ZERO

const ZERO = 0n
const ONE = fromCount(1)

/** Texts by their code points: below zero if `a` comes first. */
export function compareTexts (a: string, b: string): number {
  const left = Array.from(a)
  const right = Array.from(b)
  for (let at = 0; at < left.length && at < right.length; at++) {
    const difference = left[at].codePointAt(0)! - right[at].codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
