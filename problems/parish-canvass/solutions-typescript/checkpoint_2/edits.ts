// Edits of a draft: their fields, and what they do to title and questions.

import { conflict, editRefused, Refusal } from './errors'
import { changed, FIXED, MAX_QUESTIONS, question, type Question } from './questions'
import { isObject, items, line, name, oneOf, own, readFields, reader, type Field, type Reader, type Values } from './shapes'

export interface Draft { revision: number, title: string, questions: Question[] }

/** Title and questions while edits are applied. */
class Workbench {
  title: string
  readonly questions: Question[]

  constructor ({ title, questions }: Draft) {
    this.title = title
    this.questions = [...questions]
  }

  position (id: string): number {
    const position = this.questions.findIndex(question => question.id === id)
    if (position < 0) throw editRefused('no-such-question')
    return position
  }

  /** The position before the question that an edit names, or the end. */
  positionBefore (before?: string): number {
    return before === undefined ? this.questions.length : this.position(before)
  }
}

interface Edit { fields: Field[], apply: (bench: Workbench, edit: Values) => void }

const QUESTION: Field = { name: 'question', read: name }
const BEFORE: Field = { name: 'before', read: name, optional: true }
const PROPERTIES: Field = { name: 'set', read: reader(value => isObject(value) && Object.keys(value).length > 0) }

const EDITS: Record<string, Edit> = {
  title: { fields: [{ name: 'title', read: line }], apply: (bench, { title }) => { bench.title = title } },
  add: { fields: [{ name: 'question', read: question }, BEFORE], apply: add },
  remove: { fields: [QUESTION], apply: (bench, { question }) => bench.questions.splice(bench.position(question), 1) },
  change: { fields: [QUESTION, PROPERTIES], apply: change },
  place: { fields: [QUESTION, BEFORE], apply: place }
}

function add (bench: Workbench, { question, before }: Values): void {
  const position = bench.positionBefore(before)
  if (bench.questions.some(({ id }) => id === question.id)) throw editRefused('question-exists')
  bench.questions.splice(position, 0, question)
}

function change (bench: Workbench, { question, set }: Values): void {
  const position = bench.position(question)
  bench.questions[position] = right(set, () => changed(bench.questions[position], set))
}

function place (bench: Workbench, { question, before }: Values): void {
  const position = bench.position(question)
  bench.positionBefore(before)
  if (before === question) return
  const [moved] = bench.questions.splice(position, 1)
  bench.questions.splice(bench.positionBefore(before), 0, moved)
}

/** A question with new properties, if these may be set and the question is valid by itself. */
function right (properties: Values, make: () => Question): Question {
  if (Object.keys(properties).some(name => FIXED.includes(name))) throw editRefused('bad-question')
  try {
    return make()
  } catch (error) {
    throw error instanceof Refusal ? editRefused('bad-question') : error
  }
}

/** A reader of edits, whose fields depend on what they do. */
const edit: Reader = (value, at) => {
  const fields = isObject(value) ? own(EDITS, own(value, 'do'))?.fields ?? [] : []
  return readFields([{ name: 'do', read: oneOf(...Object.keys(EDITS)) }, ...fields], value, at)
}

export const edits = items(1, 50, edit)

/** The draft of the next revision, when all edits are applied. */
export function edited (draft: Draft, edits: Values[]): Draft {
  const bench = new Workbench(draft)
  edits.forEach((edit, index) => apply(bench, edit, index))
  if (bench.questions.length < 1 || bench.questions.length > MAX_QUESTIONS) {
    throw conflict('draft-wrong', { at: 'questions' })
  }
  return { revision: draft.revision + 1, title: bench.title, questions: bench.questions }
}

function apply (bench: Workbench, edit: Values, index: number): void {
  try {
    EDITS[edit.do].apply(bench, edit)
  } catch (error) {
    if (error instanceof Refusal) error.body.edit = index
    throw error
  }
}
