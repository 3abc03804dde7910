// Takes answers from one edition of a form to the next.

import { Findings, leaves } from './answers'
import { kindOf } from './kinds'
import type { Question } from './questions'
import { own, type Values } from './shapes'

/** The locations of what is in the older answers only. */
export function lostLocations (
  older: Question[], answers: Values, newer: Question[], newerAnswers: Values
): string[] {
  const left = new Set([...leaves(newer, newerAnswers)].map(({ path }) => path))
  return [...leaves(older, answers)].filter(({ path }) => !left.has(path)).map(({ at }) => at)
}

/** The questions of the editions of a block on the way from one to another. */
export type BlockEditions = (block: string, older: number, newer: number) => Question[][]

export class Passage {
  constructor (private readonly blockEditions: BlockEditions) {}

  /** The answers by the questions of the last of some editions, from those by the first. */
  takenAlong (editions: Question[][], answers: Values): Values {
    return editions.slice(1).reduce((taken, newer, index) =>
      new Findings(newer, this.step(editions[index], newer, taken)).asked, answers)
  }

  private step (older: Question[], newer: Question[], answers: Values): Values {
    const result: Values = {}
    for (const question of newer) {
      const before = older.find(({ key }) => key === question.key)
      const value = before === undefined ? undefined : own(answers, before.id)
      const taken = before === undefined || value === undefined ? undefined : this.answerStep(before, question, value)
      if (taken !== undefined) result[question.id] = taken
    }
    return result
  }

  /** The answer to a question that is the same in a newer edition, or nothing if it is lost. */
  private answerStep (before: Question, question: Question, value: unknown): unknown {
    const kind = kindOf(question)
    const converted = before.kind === question.kind
      ? kind.renewed(before, question, value)
      : kind.fromText(kindOf(before).toText(value))
    if (converted === undefined) return undefined
    const limited = kind.limited(question, converted)
    if (kind.fault(question, limited) !== undefined) return undefined
    const parts = kind.parts(limited, '').map(({ answers }) => this.partStep(before, question, answers))
    return kind.joined(limited, parts)
  }

  private partStep (before: Question, question: Question, answers: Values): Values {
    if (question.kind !== 'block') return this.step(before.questions, question.questions, answers)
    const editions = this.blockEditions(question.block, before.edition, question.edition)
    return this.takenAlong(editions, answers)
  }
}
