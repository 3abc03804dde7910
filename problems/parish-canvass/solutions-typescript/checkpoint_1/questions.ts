// Reads the questions of a form.

import { badInput } from './errors'
import { KINDS } from './kinds'
import { item, member } from './locations'
import { anObject, flag, items, line, name, oneOf, own, readFields, type Field, type Reader, type Values } from './shapes'

/** A question. Its further fields depend on its kind. */
export interface Question extends Values { id: string, kind: string, label: string, needed: boolean }

/** A reader of questions, whose fields depend on their kinds. */
const question: Reader = (value, at) => {
  const kind = own(anObject(value, at, {}), 'kind')
  const fields: Field[] = [
    { name: 'id', read: name },
    { name: 'kind', read: oneOf(...Object.keys(KINDS)) },
    { name: 'label', read: line },
    { name: 'needed', read: flag, default: false }
  ]
  return readFields([...fields, ...own(KINDS, kind)?.fields ?? []], value, at)
}

export const questions = items(1, 40, question)

/** Refuses an id that was there before. */
export function checkIds (questions: Question[]): void {
  const ids = questions.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0) throw badInput(member(item('questions', repeated), 'id'))
}
