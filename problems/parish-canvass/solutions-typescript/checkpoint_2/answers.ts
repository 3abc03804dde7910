// Judges the answers of a reply by the questions of its form, and sums answers up.

import { refuseFaults, type Fault } from './errors'
import { kindOf } from './kinds'
import type { Question } from './questions'
import { own, type Values } from './shapes'

function isGiven (value: unknown): boolean {
  return value !== null && value !== ''
}

/** The answers as they are kept, if there is no fault in them. Complete ones have all that is needed. */
export function judged (questions: Question[], answers: Values, isComplete: boolean): Values {
  const kept = Object.fromEntries(Object.entries(answers).filter(([, value]) => isGiven(value)))
  const lacking = isComplete ? missing(questions, kept) : []
  refuseFaults([
    ...unknown(questions, answers),
    ...questions.flatMap(question => faultOf(question, own(kept, question.id))),
    ...lacking.map(id => ({ at: id, fault: 'missing' }))
  ])
  return kept
}

/** The ids of the questions that are needed and not answered. */
export function missing (questions: Question[], answers: Values): string[] {
  return questions.filter(({ id, needed }) => needed && !Object.hasOwn(answers, id)).map(({ id }) => id)
}

function faultOf (question: Question, value: unknown): Fault[] {
  const fault = value === undefined ? undefined : kindOf(question).fault(question, value)
  return fault === undefined ? [] : [{ at: question.id, fault }]
}

function unknown (questions: Question[], answers: Values): Fault[] {
  const ids = questions.map(({ id }) => id)
  return Object.keys(answers).filter(id => !ids.includes(id)).map(at => ({ at, fault: 'unknown' }))
}

export function summary (questions: Question[], all: Values[]): object[] {
  return questions.map(question => {
    const values = all.map(answers => own(answers, question.id)).filter(value => value !== undefined)
    return { id: question.id, given: values.length, ...kindOf(question).sums(question, values) }
  })
}
