// Reads requests, and refuses the first location that does not have the described form.

import { badInput, Refusal } from './errors'
import { item, member } from './locations'

export type Values = Record<string, any>

/**
 * Reads the value at a location. The fields before it in the same object are known. Gives the value
 * as it is kept.
 */
export type Reader = (value: unknown, at: string, before: Values) => any

export interface Field {
  name: string
  read: Reader
  default?: unknown
  /** Whether the field may be missing without a default. */
  optional?: boolean
}

/** The value of an own property, or nothing. */
export function own (values: Values, name: string): any {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Whether a thing has all values that are wanted. */
export function matches<T extends object> (thing: T, wanted: Partial<T>): boolean {
  return Object.entries(wanted).every(([name, value]) => thing[name as keyof T] === value)
}

/** A reader of values that are kept as they are. */
export function reader (isRight: (value: unknown) => boolean): Reader {
  return (value, at) => {
    if (!isRight(value)) throw badInput(at)
    return value
  }
}

export function isObject (value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isWhole (value: unknown): value is number {
  return Number.isInteger(value)
}

export function isName (value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9_]{0,19}$/.test(value)
}

export function whole (low: number, high: number): Reader {
  return reader(value => isWhole(value) && value >= low && value <= high)
}

export const line = reader(value => typeof value === 'string' && value !== '' && [...value].length <= 80 &&
  !/[\u0000-\u001f\u007f]|^ | $/.test(value))
export const name = reader(isName)
export const flag = reader(value => typeof value === 'boolean')
export const anObject = reader(isObject)

export function oneOf (...words: string[]): Reader {
  return reader(value => words.includes(value as string))
}

/** A number that is written in a parameter. */
export const digits: Reader = (value, at) => {
  if (!/^[1-9][0-9]{0,5}$/.test(String(value))) throw badInput(at)
  return Number(value)
}

/** A reader of lists. */
export function items (low: number, high: number, read: Reader): Reader {
  return (value, at) => {
    if (!Array.isArray(value) || value.length < low || value.length > high) throw badInput(at)
    return value.map((entry, index) => read(entry, item(at, index), {}))
  }
}

/** The fields of an object, with defaults. */
export function readFields (fields: Field[], value: unknown, at = ''): Values {
  if (!isObject(value)) throw badInput(at)
  const result: Values = {}
  for (const field of fields) {
    const kept = readField(field, value, member(at, field.name), result)
    if (kept !== undefined) result[field.name] = kept
  }
  const listed = fields.map(({ name }) => name)
  const [unlisted] = Object.keys(value).filter(name => !listed.includes(name)).sort(compareCodes)
  if (unlisted !== undefined) throw badInput(member(at, unlisted))
  return result
}

function readField (field: Field, value: Values, at: string, before: Values): unknown {
  if (Object.hasOwn(value, field.name)) return field.read(value[field.name], at, before)
  if (field.default === undefined && field.optional !== true) throw badInput(at)
  return field.default
}

/** Compares in the order of code points. */
export function compareCodes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export function readParameters (query: string, readers: Record<string, Reader>): Values {
  const values = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(readers, name) || values.has(name)) throw badInput(name)
    values.set(name, readers[name](value, name, {}))
  }
  return Object.fromEntries(values)
}

export function readBody (body: Buffer): Values {
  const value = parseJson(body)
  if (!isObject(value)) throw new Refusal(400, 'not-json')
  return value
}

function parseJson (body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new Refusal(400, 'not-json')
  }
}
