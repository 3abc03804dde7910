// Fields of bodies and parameters of paths. Of several that are wrong, the first is reported.

import { badField, Refusal } from './errors'

export type Values = Record<string, unknown>

/** Whether a value is right; the others of the same body or path are known, too. */
export type Check = (value: unknown, others: Values) => boolean

export interface Field {
  name: string
  check: Check
  /** Value of a missing field. */
  default?: unknown
}

export function number (low: number, high: number): Check {
  return value => Number.isInteger(value) && Number(value) >= low && Number(value) <= high
}

export function text (value: unknown): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= 60 &&
    !/[\u0000-\u001f\u007f]|^ | $/.test(value)
}

export function code (value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,23}$/.test(value)
}

/** Right if the check is passed and the field of that name has another value. */
export function otherThan (name: string, check: Check): Check {
  return (value, others) => check(value, others) && value !== others[name]
}

export function oneOf (words: readonly string[]): Check {
  return value => words.includes(String(value))
}

/** Compares in the order of code points. */
export function compareCodes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The values of the fields, with defaults. */
export function readFields<T> (body: Values, fields: Field[]): T {
  const values = fields.flatMap(field => readField(body, field))
  const names = fields.map(({ name }) => name)
  const unknown = Object.keys(body).filter(name => !names.includes(name)).sort(compareCodes)
  if (unknown.length > 0) throw badField(unknown[0])
  return Object.fromEntries(values) as T
}

/** The name and value of a field, if it has one. */
function readField (body: Values, field: Field): Array<[string, unknown]> {
  const { name, check } = field
  if (name in body) {
    if (!check(body[name], body)) throw badField(name)
    return [[name, body[name]]]
  }
  if (field.default !== undefined) return [[name, field.default]]
  throw badField(name)
}

/** The values of the parameters that are given, by name. */
export function readParameters (query: string, checks: Record<string, Check>): Record<string, string> {
  const given = [...new URLSearchParams(query)]
  const others = Object.fromEntries(given)
  const values = new Map<string, string>()
  for (const [name, value] of given) {
    if (!Object.hasOwn(checks, name) || values.has(name) || !checks[name](value, others)) throw badField(name)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

/** The JSON object in a body. */
export function parseObject (body: Buffer): Values {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, 'bad-json')
  return value as Values
}

function parseJson (body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new Refusal(400, 'bad-json')
  }
}
