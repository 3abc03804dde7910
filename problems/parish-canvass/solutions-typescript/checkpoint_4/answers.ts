// Judges the answers of a reply by the questions of its edition, and sums answers up.

import { holds } from './conditions'
import type { Fault } from './errors'
import { kindOf } from './kinds'
import { member } from './locations'
import type { Question } from './questions'
import { own, type Values } from './shapes'

/** What is found in answers: which of them are asked and right, and the locations of all others. */
export class Findings {
  readonly asked: Values = {}
  readonly faults: Fault[] = []
  readonly notAsked: string[] = []
  readonly missing: string[] = []
  private readonly known: Map<string, unknown>

  /** The answers around these are known by their names. */
  constructor (questions: Question[], answers: Values, at = '', around = new Map<string, unknown>()) {
    this.known = new Map(around)
    const ids = questions.map(({ id }) => id)
    const unknown = Object.keys(answers).filter(key => !ids.includes(key))
    this.faults.push(...unknown.map(key => ({ at: member(at, key), fault: 'unknown' })))
    for (const question of questions) this.look(question, own(answers, question.id), member(at, question.id))
  }

  /** The faults to report: some of the answers that are not asked, and missing ones if wanted. */
  faultsWhere (isReported: (at: string) => boolean, withMissing: boolean): Fault[] {
    const notAsked = this.notAsked.filter(isReported).map(at => ({ at, fault: 'not-asked' }))
    const missing = withMissing ? this.missing.map(at => ({ at, fault: 'missing' })) : []
    return [...this.faults, ...notAsked, ...missing]
  }

  private look (question: Question, value: unknown, at: string): void {
    const kind = kindOf(question)
    const isGiven = kind.isGiven(value)
    if (!holds(question.when, this.known)) {
      if (isGiven) this.notAsked.push(at)
      return
    }
    if (!isGiven) {
      if (question.needed) this.missing.push(at)
      return
    }
    const fault = kind.fault(question, value)
    if (fault === undefined) this.keep(question, value, at)
    else this.faults.push({ at, fault })
  }

  /** Keeps an answer that is right as a whole, and finds what is inside it. */
  private keep (question: Question, value: unknown, at: string): void {
    const kind = kindOf(question)
    const parts = kind.parts(value, at)
      .map(part => new Findings(question.questions, part.answers, part.at, this.known))
    this.notAsked.push(...parts.flatMap(({ notAsked }) => notAsked))
    this.faults.push(...parts.flatMap(({ faults }) => faults))
    this.missing.push(...parts.flatMap(({ missing }) => missing))
    const kept = kind.joined(value, parts.map(({ asked }) => asked))
    this.asked[question.id] = kept
    this.known.set(question.id, kind.knownAs(kept))
  }
}

/** Right answers without those that count as not answered, whether they are asked or not. */
export function pruned (questions: Question[], answers: Values): Values {
  const given = questions.filter(question => kindOf(question).isGiven(own(answers, question.id)))
  return Object.fromEntries(given.map(question => {
    const kind = kindOf(question)
    const value = answers[question.id]
    const parts = kind.parts(value, '').map(part => pruned(question.questions, part.answers))
    return [question.id, kind.joined(value, parts)]
  }))
}

/**
 * A single answer. Its path has the keys of its question and of those around it, and the positions
 * in groups.
 */
export interface Leaf { path: string, at: string, question: Question, value: any }

/** All single answers, in the order of the form. */
export function * leaves (questions: Question[], answers: Values, at = '', path = ''): Generator<Leaf> {
  for (const question of questions.filter(({ id }) => Object.hasOwn(answers, id))) {
    const value = answers[question.id]
    const here = member(at, question.id)
    const ownPath = `${path}/${question.key}`
    if (question.questions === undefined) yield { path: ownPath, at: here, question, value }
    for (const [index, part] of kindOf(question).parts(value, here).entries()) {
      yield * leaves(question.questions, part.answers, part.at, `${ownPath}#${index}`)
    }
  }
}

export function summary (questions: Question[], all: Values[]): object[] {
  return questions.map(question => {
    const kind = kindOf(question)
    const values = all.map(answers => own(answers, question.id)).filter(value => value !== undefined)
    const sums = { id: question.id, given: values.length, ...kind.sums(question, values) }
    if (question.questions === undefined) return sums
    const parts = values.flatMap(value => kind.parts(value, '')).map(({ answers }) => answers)
    return { ...sums, questions: summary(question.questions, parts) }
  })
}
