// The kinds of questions: their own fields, faults of answers, and sums of answers.

import { badInput } from './errors'
import { item } from './locations'
import type { Question } from './questions'
import { isWhole, items, line, whole, type Field, type Reader } from './shapes'

const LIMIT = whole(-1000000, 1000000)

const options: Reader = (value, at) => {
  const lines = items(1, 12, line)(value, at, {})
  const repeated = lines.findIndex((option: string, index: number) => lines.indexOf(option) < index)
  if (repeated >= 0) throw badInput(item(at, repeated))
  return lines
}

/** A limit that is not below the one in another field. */
function limitAbove (field: string, limit: Reader): Reader {
  return (value, at, before) => {
    if (limit(value, at, before) < (before[field] ?? value)) throw badInput(at)
    return value
  }
}

export interface Kind {
  fields: Field[]
  fault: (question: Question, value: unknown) => string | undefined
  sums: (question: Question, values: any[]) => object
}

const TEXT: Kind = {
  fields: [{ name: 'longest', read: whole(1, 500), default: 200 }],
  fault: ({ longest }, value) => {
    if (typeof value !== 'string') return 'wrong-kind'
    return [...value].length > longest ? 'too-long' : undefined
  },
  sums: () => ({})
}

const NUMBER: Kind = {
  fields: [
    { name: 'least', read: LIMIT, optional: true },
    { name: 'most', read: limitAbove('least', LIMIT), optional: true }
  ],
  fault: ({ least = -Infinity, most = Infinity }, value) => {
    if (!isWhole(value)) return 'wrong-kind'
    if (value < least) return 'too-small'
    return value > most ? 'too-large' : undefined
  },
  sums: (_, values) => ({
    sum: values.reduce((sum, value) => sum + value, 0),
    smallest: values.length > 0 ? Math.min(...values) : null,
    largest: values.length > 0 ? Math.max(...values) : null
  })
}

const CHOICE: Kind = {
  fields: [{ name: 'options', read: options }],
  fault: ({ options }, value) => {
    if (typeof value !== 'string') return 'wrong-kind'
    return options.includes(value) ? undefined : 'not-an-option'
  },
  sums: ({ options }, values) => ({
    counts: Object.fromEntries(options.map((option: string) => [option, count(values, option)]))
  })
}

const FLAG: Kind = {
  fields: [],
  fault: (_, value) => typeof value === 'boolean' ? undefined : 'wrong-kind',
  sums: (_, values) => ({ yes: count(values, true), no: count(values, false) })
}

function count<T> (values: T[], wanted: T): number {
  return values.filter(value => value === wanted).length
}

export const KINDS: Record<string, Kind> = { text: TEXT, number: NUMBER, choice: CHOICE, flag: FLAG }

export function kindOf ({ kind }: Question): Kind {
  return KINDS[kind]
}
