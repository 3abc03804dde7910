// The kinds of questions: their own fields, faults and conversions of answers, and sums of answers.

import { badInput } from './errors'
import { item } from './locations'
import type { Question } from './questions'
import { isObject, isWhole, items, line, name, whole, type Field, type Reader, type Values } from './shapes'

const LIMIT = whole(-1000000, 1000000)
const PLACES = whole(1, 10000)
/** The edition of a block that is not named. */
export const LATEST = 0

const options: Reader = (value, at) => {
  const lines = items(1, 12, line)(value, at, {})
  const repeated = lines.findIndex((option: string, index: number) => lines.indexOf(option) < index)
  if (repeated >= 0) throw badInput(item(at, repeated))
  return lines
}

/** How many answers can have an option. */
const places: Reader = (value, at, { options }) => {
  if (!isObject(value) || Object.keys(value).length === 0) throw badInput(at)
  if (Object.keys(value).some(option => !options.includes(option))) throw badInput(at)
  Object.values(value).forEach(number => PLACES(number, at, {}))
  return value
}

/** A limit that is not below the one in another field. */
function limitAbove (field: string, limit: Reader): Reader {
  return (value, at, before) => {
    if (limit(value, at, before) < (before[field] ?? value)) throw badInput(at)
    return value
  }
}

/** An object inside an answer, and its location. */
export interface Part { at: string, answers: Values }

/** What applies to kinds whose answers are single values, and to others unless they differ. */
export abstract class Kind {
  readonly fields: Field[] = []

  abstract fault (question: Question, value: unknown): string | undefined

  sums (_question: Question, _values: any[]): object {
    return {}
  }

  isGiven (value: unknown): boolean {
    return value !== undefined && value !== null && value !== ''
  }

  /** The value that conditions see. */
  knownAs (value: any): unknown {
    return value
  }

  parts (_value: any, _at: string): Part[] {
    return []
  }

  /** The answer with other parts. */
  joined (value: any, _parts: Values[]): unknown {
    return value
  }

  toText (value: any): string {
    return String(value)
  }

  /** The answer that a text represents, or nothing. */
  fromText (text: string): unknown {
    return text
  }

  /** The answer to an older state of the question in words of the newer one. */
  renewed (_before: Question, _question: Question, value: any): unknown {
    return value
  }

  /** The part of an answer that is within the limits of its question. */
  limited (_question: Question, value: any): unknown {
    return value
  }

  /** What conditions inside an answer know of the questions around it. */
  seenInside (known: Map<string, unknown>): Map<string, unknown> {
    return known
  }

  /** Whether an answer without any answered part counts as none. */
  readonly needsParts: boolean = false
}

class TextKind extends Kind {
  override readonly fields: Field[] = [{ name: 'longest', read: whole(1, 500), default: 200 }]

  fault ({ longest }: Question, value: unknown): string | undefined {
    if (typeof value !== 'string') return 'wrong-kind'
    return [...value].length > longest ? 'too-long' : undefined
  }

  override limited ({ longest }: Question, value: string): string {
    return [...value].slice(0, longest).join('')
  }
}

class NumberKind extends Kind {
  override readonly fields: Field[] = [
    { name: 'least', read: LIMIT, optional: true },
    { name: 'most', read: limitAbove('least', LIMIT), optional: true }
  ]

  fault ({ least = -Infinity, most = Infinity }: Question, value: unknown): string | undefined {
    if (!isWhole(value)) return 'wrong-kind'
    if (value < least) return 'too-small'
    return value > most ? 'too-large' : undefined
  }

  override fromText (text: string): number | undefined {
    return /^(0|-?[1-9][0-9]*)$/.test(text) ? Number(text) : undefined
  }

  override sums (_: Question, values: number[]): object {
    return {
      sum: values.reduce((sum, value) => sum + value, 0),
      smallest: values.length > 0 ? Math.min(...values) : null,
      largest: values.length > 0 ? Math.max(...values) : null
    }
  }
}

class ChoiceKind extends Kind {
  override readonly fields: Field[] = [
    { name: 'options', read: options },
    { name: 'places', read: places, optional: true }
  ]

  fault ({ options }: Question, value: unknown): string | undefined {
    if (typeof value !== 'string') return 'wrong-kind'
    return options.includes(value) ? undefined : 'not-an-option'
  }

  override renewed (before: Question, question: Question, value: string): string {
    const key = before.optionKeys[value]
    const [renamed] = Object.entries(question.optionKeys).find(([, known]) => known === key) ?? [value]
    return renamed
  }

  override sums ({ options }: Question, values: string[]): object {
    return { counts: Object.fromEntries(options.map((option: string) => [option, count(values, option)])) }
  }
}

class FlagKind extends Kind {
  fault (_: Question, value: unknown): string | undefined {
    return typeof value === 'boolean' ? undefined : 'wrong-kind'
  }

  override toText (value: boolean): string {
    return value ? 'yes' : 'no'
  }

  override fromText (text: string): boolean | undefined {
    return new Map([['yes', true], ['no', false]]).get(text)
  }

  override sums (_: Question, values: boolean[]): object {
    return { yes: count(values, true), no: count(values, false) }
  }
}

/** Questions that are answered several times. */
class GroupKind extends Kind {
  override readonly fields: Field[] = [
    { name: 'fewest', read: whole(0, 20), default: 0 },
    { name: 'most', read: limitAbove('fewest', whole(1, 20)), default: 20 }
  ]

  override isGiven (value: unknown): boolean {
    return super.isGiven(value) && !(Array.isArray(value) && value.length === 0)
  }

  fault ({ fewest, most }: Question, value: unknown): string | undefined {
    if (!Array.isArray(value) || !value.every(isObject)) return 'wrong-kind'
    if (value.length < fewest) return 'too-few'
    return value.length > most ? 'too-many' : undefined
  }

  override knownAs (value: Values[]): number {
    return value.length
  }

  override parts (value: Values[], at: string): Part[] {
    return value.map((answers, index) => ({ at: item(at, index), answers }))
  }

  override joined (_: Values[], parts: Values[]): Values[] {
    return parts
  }

  override limited ({ most }: Question, value: Values[]): Values[] {
    return value.slice(0, most)
  }

  override sums (_: Question, values: Values[][]): object {
    return { entries: values.reduce((sum, { length }) => sum + length, 0) }
  }
}

/** Questions of a block, which are answered as one. */
class BlockKind extends Kind {
  override readonly fields: Field[] = [
    { name: 'block', read: name },
    { name: 'edition', read: whole(1, 999999), default: LATEST }
  ]

  override readonly needsParts = true

  override isGiven (value: unknown): boolean {
    return isObject(value) ? Object.values(value).some(part => super.isGiven(part)) : super.isGiven(value)
  }

  fault (_: Question, value: unknown): string | undefined {
    return isObject(value) ? undefined : 'wrong-kind'
  }

  override parts (value: Values, at: string): Part[] {
    return [{ at, answers: value }]
  }

  override joined (_: Values, [part]: Values[]): Values {
    return part
  }

  override seenInside (): Map<string, unknown> {
    return new Map()
  }
}

function count<T> (values: T[], wanted: T): number {
  return values.filter(value => value === wanted).length
}

export const KINDS: Record<string, Kind> = {
  text: new TextKind(),
  number: new NumberKind(),
  choice: new ChoiceKind(),
  flag: new FlagKind(),
  group: new GroupKind(),
  block: new BlockKind()
}

export function kindOf ({ kind }: Question): Kind {
  return KINDS[kind]
}
