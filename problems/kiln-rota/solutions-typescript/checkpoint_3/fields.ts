// Fields of bodies and parameters of paths. Of several that are wrong, the first is reported.

import { Refusal, wrongField } from './errors'

const MAX_TEXT = 40

export type Values = Record<string, unknown>
export type Check = (value: unknown) => boolean

export interface Field {
  name: string
  check: Check
  /** Whether the field may be missing. */
  optional?: boolean
  default?: unknown
  /** A field with which this one must be missing. */
  instead?: string
}

export function number (low: number, high: number): Check {
  return value => Number.isInteger(value) && Number(value) >= low && Number(value) <= high
}

export function isName (value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value)
}

export function isText (value: unknown): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= MAX_TEXT &&
    !/[\u0000-\u001f\u007f]|^ | $/.test(value)
}

export function isObject (value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Right for a list of so many objects with these fields. */
export function listOf (low: number, high: number, fields: Field[]): Check {
  return value => Array.isArray(value) && value.length >= low && value.length <= high &&
    value.every(item => isObject(item) && wrongName(item, fields) === undefined)
}

export function oneOf (...words: string[]): Check {
  return value => words.includes(String(value))
}

export function orNull (check: Check): Check {
  return value => value === null || check(value)
}

/** Compares in the order of code points. */
export function compareCodes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The values of the fields, with defaults. */
export function readFields (body: Values, fields: Field[]): Values {
  const name = wrongName(body, fields)
  if (name !== undefined) throw wrongField(name)
  const defaults = fields.filter(field => field.default !== undefined && !isReplaced(body, field))
  return { ...Object.fromEntries(defaults.map(field => [field.name, field.default])), ...body }
}

function isReplaced (body: Values, { instead }: Field): boolean {
  return instead !== undefined && instead in body
}

/** The name of the first field that is missing, wrong or not listed. */
function wrongName (body: Values, fields: Field[]): string | undefined {
  const listed = fields.map(({ name }) => name)
  const wrong = fields.find(field => !isRight(body, field))
  return wrong?.name ?? Object.keys(body).filter(name => !listed.includes(name)).sort(compareCodes)[0]
}

function isRight (body: Values, field: Field): boolean {
  if (isReplaced(body, field)) return !(field.name in body)
  if (!(field.name in body)) return field.optional === true || field.default !== undefined
  return field.check(body[field.name])
}

/** The values of the parameters that are listed. All others are ignored. */
export function readParameters (query: string, parameters: Field[]): Record<string, string> {
  const given = new Map(new URLSearchParams(query))
  const known = parameters.filter(({ name }) => given.has(name))
  for (const { name, check } of known) {
    if (!check(given.get(name))) throw wrongField(name)
  }
  return Object.fromEntries(known.map(({ name }) => [name, given.get(name)!]))
}

/** The JSON object in a body. */
export function parseObject (body: Buffer): Values {
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
