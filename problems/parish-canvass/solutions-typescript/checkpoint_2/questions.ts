// Reads the questions of a form.

import { badInput } from './errors'
import { KINDS } from './kinds'
import { item, member } from './locations'
import { anObject, flag, items, line, name, oneOf, own, readFields, type Field, type Reader, type Values } from './shapes'

/** A question. Its further fields depend on its kind. */
export interface Question extends Values { id: string, kind: string, label: string, needed: boolean }

export const MAX_QUESTIONS = 40
export const FIXED = ['id', 'kind']
const LABEL_AND_NEEDED: Field[] = [
  { name: 'label', read: line },
  { name: 'needed', read: flag, default: false }
]

/** A reader of questions, whose fields depend on their kinds. */
export const question: Reader = (value, at) => {
  const kind = own(anObject(value, at, {}), 'kind')
  const fields: Field[] = [
    { name: 'id', read: name },
    { name: 'kind', read: oneOf(...Object.keys(KINDS)) },
    ...LABEL_AND_NEEDED
  ]
  return readFields([...fields, ...own(KINDS, kind)?.fields ?? []], value, at)
}

export const questions = items(1, MAX_QUESTIONS, question)

/** Refuses an id that was there before. */
export function checkIds (questions: Question[]): void {
  const ids = questions.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0) throw badInput(member(item('questions', repeated), 'id'))
}

/** The question with new properties. Optional ones are removed where they are null. */
export function changed (before: Question, properties: Values): Question {
  const fields = [...LABEL_AND_NEEDED, ...KINDS[before.kind].fields]
  const isRemoved = (name: string, value: unknown): boolean =>
    value === null && fields.some(field => field.name === name && field.optional === true)
  const merged = Object.entries({ ...before, ...properties }).filter(([name, value]) => !isRemoved(name, value))
  const fixed = merged.filter(([name]) => FIXED.includes(name))
  const free = merged.filter(([name]) => !FIXED.includes(name))
  return { ...Object.fromEntries(fixed), ...readFields(fields, Object.fromEntries(free)) } as Question
}
