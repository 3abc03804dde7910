// Edits of a draft: their fields, and what they do to title and questions.

import { conflict, editRefused, Refusal } from './errors'
import { changed, FIXED, question, walk, wrongPlaces, type Question } from './questions'
import { isObject, items, line, name, oneOf, own, readFields, reader, type Field, type Reader, type Values } from './shapes'

export interface Draft { revision: number, title: string, questions: Question[] }

/** A question's place: the list that it is in, and its position there. */
interface Place { siblings: Question[], position: number }

/** Title and questions while edits are applied. */
class Workbench {
  title: string
  readonly questions: Question[]

  constructor ({ title, questions }: Draft) {
    this.title = title
    this.questions = structuredClone(questions)
  }

  ids (): string[] {
    return [...walk(this.questions)].map(({ question }) => question.id)
  }

  find (id: string): Place {
    const lists: Question[][] = this.questions.flatMap(({ questions }) => questions === undefined ? [] : [questions])
    for (const siblings of [this.questions, ...lists]) {
      const position = siblings.findIndex(question => question.id === id)
      if (position >= 0) return { siblings, position }
    }
    throw editRefused('no-such-question')
  }
}

interface Edit { fields: Field[], apply: (bench: Workbench, edit: Values) => void }

const QUESTION: Field = { name: 'question', read: name }
const INTO: Field = { name: 'into', read: name, optional: true }
const BEFORE: Field = { name: 'before', read: name, optional: true }
const PROPERTIES: Field = { name: 'set', read: reader(value => isObject(value) && Object.keys(value).length > 0) }

const EDITS: Record<string, Edit> = {
  title: { fields: [{ name: 'title', read: line }], apply: (bench, { title }) => { bench.title = title } },
  add: { fields: [{ name: 'question', read: question }, INTO, BEFORE], apply: add },
  remove: { fields: [QUESTION], apply: remove },
  change: { fields: [QUESTION, PROPERTIES], apply: change },
  place: { fields: [QUESTION, BEFORE], apply: place }
}

function add (bench: Workbench, { question, into, before }: Values): void {
  const siblings = into === undefined ? bench.questions : groupQuestions(bench, into)
  const beside = before === undefined ? undefined : bench.find(before)
  checkIds(bench, question)
  const isElsewhere = beside !== undefined && beside.siblings !== siblings
  const isNested = question.questions !== undefined && into !== undefined
  if (siblings === undefined || isElsewhere || isNested) throw editRefused('elsewhere')
  siblings.splice(beside?.position ?? siblings.length, 0, structuredClone(question))
}

/** The questions of a group, or nothing if the question is not a group. */
function groupQuestions (bench: Workbench, id: string): Question[] | undefined {
  const { siblings, position } = bench.find(id)
  return siblings[position].questions
}

/** Refuses a question if its id, or one inside it, exists already. */
function checkIds (bench: Workbench, question: Question): void {
  const ids = [...walk([question])].map(({ question }) => question.id)
  const isKnown = ids.some((id, index) => bench.ids().includes(id) || ids.indexOf(id) < index)
  if (isKnown) throw editRefused('question-exists')
}

function remove (bench: Workbench, { question }: Values): void {
  const { siblings, position } = bench.find(question)
  siblings.splice(position, 1)
}

function change (bench: Workbench, { question, set }: Values): void {
  const { siblings, position } = bench.find(question)
  const before = siblings[position]
  siblings[position] = right(set, () => changed(before, set))
}

function place (bench: Workbench, { question, before }: Values): void {
  const { siblings, position } = bench.find(question)
  if (before !== undefined && bench.find(before).siblings !== siblings) throw editRefused('elsewhere')
  if (before === question) return
  const [moved] = siblings.splice(position, 1)
  siblings.splice(before === undefined ? siblings.length : bench.find(before).position, 0, moved)
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
  const [wrong] = wrongPlaces(bench.questions)
  if (wrong !== undefined) throw conflict('draft-wrong', { at: wrong })
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
