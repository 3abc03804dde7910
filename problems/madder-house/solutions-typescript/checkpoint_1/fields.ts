// Reads and checks the fields of a request.

import { Refusal, wrongField } from './faults'

export type Values = Record<string, unknown>

export type Check = (value: unknown) => boolean

export interface Field {
  name: string
  check: Check
  /** Value of a missing field; without it, the field is required unless it is optional. */
  default?: unknown
  optional?: boolean
}

export const MOST_GRAMS = 100000

export function number (least: number, most: number): Check {
  return value => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

export function name (value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value)
}

/** One to five dyes with their grams. */
export function parts (value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const all = Object.entries(value)
  const grams = number(1, MOST_GRAMS)
  return all.length >= 1 && all.length <= 5 && all.every(([dye, amount]) => name(dye) && grams(amount))
}

export function parseObject (body: Buffer): Values {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal(400, 'not-json')
  return value as Values
}

function parseJson (body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new Refusal(400, 'not-json')
  }
}

/** The values of the fields, with defaults. Other fields are wrong. */
export function readFields (body: Values, fields: Field[]): Values {
  const values = readKnown(body, fields)
  const unlisted = Object.keys(body).filter(key => !fields.some(field => field.name === key)).sort()
  if (unlisted.length > 0) throw wrongField(unlisted[0])
  return values
}

export function readKnown (body: Values, fields: Field[]): Values {
  const values: Values = {}
  for (const field of fields) {
    if (Object.hasOwn(body, field.name)) {
      if (!field.check(body[field.name])) throw wrongField(field.name)
      values[field.name] = body[field.name]
    } else if (field.default !== undefined) {
      values[field.name] = field.default
    } else if (field.optional !== true) {
      throw wrongField(field.name)
    }
  }
  return values
}
