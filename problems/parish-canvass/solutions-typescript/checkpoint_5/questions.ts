// Reads the questions of a form, and goes through them.

import { condition, namesIn } from './conditions'
import { badInput } from './errors'
import { HIDDEN } from './identity'
import { KINDS } from './kinds'
import { item, member } from './locations'
import { anObject, flag, items, line, name, oneOf, own, readFields, type Field, type Reader, type Values } from './shapes'

/** A question. Its further fields depend on its kind. */
export interface Question extends Values { id: string, kind: string, label: string, needed: boolean }

export const MAX_QUESTIONS = 40
const MAX_IN_GROUP = 20
const LABEL_AND_NEEDED: Field[] = [
  { name: 'label', read: line },
  { name: 'needed', read: flag, default: false }
]
const WHEN: Field = { name: 'when', read: condition, optional: true }
export const BASIC_KINDS = ['text', 'number', 'choice', 'flag']
export const FIXED = ['id', 'kind', 'questions', 'block', ...HIDDEN]
const KEPT_IN_CONVERSION = ['id', 'key', 'label', 'needed', 'when']
const KINDS_IN_GROUPS = Object.keys(KINDS).filter(kind => kind !== 'group')

/** A reader of questions of some kinds, on which their further fields depend. */
function questionOf (kinds: string[]): Reader {
  return (value, at) => {
    const kind = own(anObject(value, at, {}), 'kind')
    const fields: Field[] = [
      { name: 'id', read: name },
      { name: 'kind', read: oneOf(...kinds) },
      ...LABEL_AND_NEEDED,
      ...kinds.includes(kind) ? ownFields(kind) : [],
      WHEN
    ]
    return readFields(fields, value, at)
  }
}

function ownFields (kind: string): Field[] {
  return kind === 'group' ? [...KINDS.group.fields, INNER] : KINDS[kind].fields
}

const INNER: Field = { name: 'questions', read: items(1, MAX_IN_GROUP, questionOf(KINDS_IN_GROUPS)) }
export const question = questionOf(Object.keys(KINDS))
export const questions = items(1, MAX_QUESTIONS, question)
export const blockQuestion = questionOf(BASIC_KINDS)
export const blockQuestions = items(1, MAX_QUESTIONS, blockQuestion)

/** The question with new properties. Optional ones are removed where they are null. */
export function changed (before: Question, properties: Values): Question {
  const fields = [...LABEL_AND_NEEDED, ...KINDS[before.kind].fields, WHEN]
  const isRemoved = (name: string, value: unknown): boolean =>
    value === null && fields.some(field => field.name === name && field.optional === true)
  const merged = Object.entries({ ...before, ...properties }).filter(([name, value]) => !isRemoved(name, value))
  const fixed = merged.filter(([name]) => FIXED.includes(name))
  const free = merged.filter(([name]) => !FIXED.includes(name))
  const read = readFields(fields.filter(({ name }) => !FIXED.includes(name)), Object.fromEntries(free))
  return { ...Object.fromEntries(fixed), ...read } as Question
}

/** The question as one of another kind. */
export function converted (before: Question, kind: string, properties: Values): Question {
  const kept = Object.entries(before).filter(([name]) => KEPT_IN_CONVERSION.includes(name))
  return changed({ ...Object.fromEntries(kept), kind } as Question, properties)
}

/** All questions with their locations, a group before the questions inside it. */
export function * walk (questions: Question[], at = 'questions'): Generator<{ at: string, question: Question }> {
  for (const [index, question] of questions.entries()) {
    const here = item(at, index)
    yield { at: here, question }
    yield * walk(question.questions ?? [], member(here, 'questions'))
  }
}

/** The locations of lists of a wrong length, and of conditions on questions that do not come before. */
export function * wrongPlaces (
  questions: Question[], at = 'questions', most = MAX_QUESTIONS, known: Iterable<string> = []
): Generator<string> {
  if (questions.length < 1 || questions.length > most) yield at
  const before = new Set(known)
  for (const [index, question] of questions.entries()) {
    const here = item(at, index)
    if (namesIn(question.when).some(name => !before.has(name))) yield member(here, 'when')
    if (question.questions !== undefined) {
      yield * wrongPlaces(question.questions, member(here, 'questions'), MAX_IN_GROUP, before)
    }
    before.add(question.id)
  }
}

/** Refuses ids that were there before, then conditions on questions that do not come before. */
export function checkNew (questions: Question[]): void {
  const seen = new Set<string>()
  for (const { at, question: { id } } of walk(questions)) {
    if (seen.has(id)) throw badInput(member(at, 'id'))
    seen.add(id)
  }
  const [wrong] = wrongPlaces(questions)
  if (wrong !== undefined) throw badInput(wrong)
}
