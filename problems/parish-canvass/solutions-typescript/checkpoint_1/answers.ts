// Judges the answers of a reply by the questions of its form, and sums answers up.

import { refuseFaults, type Fault } from './errors'
import { kindOf } from './kinds'
import type { Question } from './questions'
import { own, type Values } from './shapes'

function isGiven (value: unknown): boolean {
  return value !== null && value !== ''
}

/** The answers as they are kept, if there is no fault in them. */
export function judged (questions: Question[], answers: Values): Values {
  const kept = Object.fromEntries(Object.entries(answers).filter(([, value]) => isGiven(value)))
  refuseFaults([
    ...unknown(questions, answers),
    ...questions.flatMap(question => faultOf(question, own(kept, question.id)))
  ])
  return kept
}

function faultOf (question: Question, value: unknown): Fault[] {
  const missing = question.needed ? 'missing' : undefined
  const fault = value === undefined ? missing : kindOf(question).fault(question, value)
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
