// Edits of a draft: their fields, and what they do to title and questions.

import { withTests, withValue, type Condition } from './conditions'
import { conflict, editRefused, Refusal } from './errors'
import { Keys } from './identity'
import { BASIC_KINDS, changed, converted, FIXED, walk, wrongPlaces, type Question } from './questions'
import {
  anObject, isObject, items, line, name, oneOf, own, readFields, reader, type Field, type Reader, type Values
} from './shapes'

export interface Draft { revision: number, title: string, questions: Question[] }

/** The title among names of questions, none of which it can be. */
export const TITLE = '(title)'

/** A question's place: the list that it is in, and its position there. */
interface Place { siblings: Question[], position: number }

/** Title and questions while edits are applied. */
class Workbench {
  title: string
  readonly questions: Question[]
  readonly keys: Keys
  /** The names of the questions that were touched. */
  readonly touched = new Set<string>()

  /** A function completes questions that are new or changed. */
  constructor ({ revision, title, questions }: Draft, readonly complete: (question: Question) => Question) {
    this.title = title
    this.questions = structuredClone(questions)
    this.keys = new Keys(revision + 1)
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

  /** The place of a question that is touched. */
  touch (id: string): Place {
    this.touched.add(id)
    return this.find(id)
  }

  /** Changes the tests of a question in all conditions. */
  changeTestsOf (id: string, change: (test: Condition) => Condition): void {
    for (const { question } of walk(this.questions)) {
      if (question.when === undefined) continue
      question.when = withTests(question.when, test => test.question === id ? change(test) : test)
    }
  }
}

interface Edit { fields: Field[], apply: (bench: Workbench, edit: Values) => void }

const QUESTION: Field = { name: 'question', read: name }
const INTO: Field = { name: 'into', read: name, optional: true }
const BEFORE: Field = { name: 'before', read: name, optional: true }
const PROPERTIES: Field = { name: 'set', read: reader(value => isObject(value) && Object.keys(value).length > 0) }

const EDITS: Record<string, Edit> = {
  title: { fields: [{ name: 'title', read: line }], apply: setTitle },
  add: { fields: [INTO, BEFORE], apply: add },
  remove: { fields: [QUESTION], apply: remove },
  change: { fields: [QUESTION, PROPERTIES], apply: change },
  place: { fields: [QUESTION, BEFORE], apply: place },
  rename: { fields: [QUESTION, { name: 'to', read: name }], apply: rename },
  option: { fields: [QUESTION, { name: 'option', read: line }, { name: 'to', read: line }], apply: renameOption },
  convert: {
    fields: [QUESTION, { name: 'kind', read: oneOf(...BASIC_KINDS) }, { name: 'set', read: anObject, default: {} }],
    apply: convert
  }
}

function setTitle (bench: Workbench, { title }: Values): void {
  bench.title = title
  bench.touched.add(TITLE)
}

function add (bench: Workbench, { question, into, before }: Values): void {
  const siblings = into === undefined ? bench.questions : groupQuestions(bench, into)
  const beside = before === undefined ? undefined : bench.find(before)
  const ids = newIds(bench, question)
  const isElsewhere = beside !== undefined && beside.siblings !== siblings
  const isNested = question.questions !== undefined && into !== undefined
  if (siblings === undefined || isElsewhere || isNested) throw editRefused('elsewhere')
  siblings.splice(beside?.position ?? siblings.length, 0, bench.keys.giveAll(bench.complete(question)))
  ids.forEach(id => bench.touched.add(id))
}

/** The questions of a group, or nothing if the question is not a group. */
function groupQuestions (bench: Workbench, id: string): Question[] | undefined {
  const { siblings, position } = bench.find(id)
  return siblings[position].questions
}

/** The ids of a question and of those inside it, none of which may exist. */
function newIds (bench: Workbench, question: Question): string[] {
  const ids = [...walk([question])].map(({ question }) => question.id)
  const isKnown = ids.some((id, index) => bench.ids().includes(id) || ids.indexOf(id) < index)
  if (isKnown) throw editRefused('question-exists')
  return ids
}

function remove (bench: Workbench, { question }: Values): void {
  const { siblings, position } = bench.find(question)
  for (const inner of walk(siblings.splice(position, 1))) bench.touched.add(inner.question.id)
}

function change (bench: Workbench, { question, set }: Values): void {
  const { siblings, position } = bench.touch(question)
  const before = siblings[position]
  const after = bench.complete(right(set, () => changed(before, set)))
  siblings[position] = bench.keys.giveOptions(after, before.optionKeys)
}

function place (bench: Workbench, { question, before }: Values): void {
  const { siblings, position } = bench.touch(question)
  if (before !== undefined && bench.find(before).siblings !== siblings) throw editRefused('elsewhere')
  if (before === question) return
  const [moved] = siblings.splice(position, 1)
  siblings.splice(before === undefined ? siblings.length : bench.find(before).position, 0, moved)
}

function rename (bench: Workbench, { question, to }: Values): void {
  const { siblings, position } = bench.touch(question)
  if (bench.ids().includes(to)) throw editRefused('question-exists')
  siblings[position].id = to
  bench.touched.add(to)
  bench.changeTestsOf(question, test => ({ ...test, question: to }))
}

function renameOption (bench: Workbench, { question, option, to }: Values): void {
  const { siblings, position } = bench.touch(question)
  const choice = siblings[position]
  const options: string[] = choice.options ?? []
  if (!options.includes(option) || options.includes(to)) throw editRefused('bad-question')
  const renamed = (name: string): string => name === option ? to : name
  const renamedKeys = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [renamed(name), value]))
  choice.options = options.map(renamed)
  choice.optionKeys = renamedKeys(choice.optionKeys)
  if (choice.places !== undefined) choice.places = renamedKeys(choice.places)
  bench.changeTestsOf(question, test => withValue(test, option, to))
}

function convert (bench: Workbench, { question, kind, set }: Values): void {
  const { siblings, position } = bench.touch(question)
  const before = siblings[position]
  if ([kind, 'group', 'block'].includes(before.kind)) throw editRefused('bad-question')
  siblings[position] = bench.keys.giveOptions(right(set, () => converted(before, kind, set)))
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

/** A reader of edits, which add questions with another reader. Their fields depend on what they do. */
export function editsWith (question: Reader): Reader {
  return items(1, 50, (value, at) => {
    const action = isObject(value) ? own(value, 'do') : undefined
    const added: Field[] = action === 'add' ? [{ name: 'question', read: question }] : []
    const fields: Field[] = own(EDITS, action)?.fields ?? []
    return readFields([{ name: 'do', read: oneOf(...Object.keys(EDITS)) }, ...added, ...fields], value, at)
  })
}

/** The names of questions in edits, and of the title, in their order. */
export function namesIn (edits: Values[]): string[] {
  return edits.flatMap(edit => {
    if (edit.do === 'title') return [TITLE]
    const named = edit.do === 'add' ? [edit.question.id, edit.into, edit.before] : [edit.question, edit.before]
    return named.filter(name => name !== undefined)
  })
}

/** The draft of the next revision, when all edits are applied, and the names that they touch. */
export function edited (
  draft: Draft, edits: Values[], complete: (question: Question) => Question
): { draft: Draft, touched: string[] } {
  const bench = new Workbench(draft, complete)
  edits.forEach((edit, index) => apply(bench, edit, index))
  const [wrong] = wrongPlaces(bench.questions)
  if (wrong !== undefined) throw conflict('draft-wrong', { at: wrong })
  const { title, questions, touched } = bench
  return { draft: { revision: draft.revision + 1, title, questions }, touched: [...touched] }
}

function apply (bench: Workbench, edit: Values, index: number): void {
  try {
    EDITS[edit.do].apply(bench, edit)
  } catch (error) {
    if (error instanceof Refusal) error.body.edit = index
    throw error
  }
}
