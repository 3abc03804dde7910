// Places: options that only so many answers can have.

import { keysIn, leaves } from './answers'
import type { Question } from './questions'
import { own, type Values } from './shapes'

/** The places of the questions of an edition, and how many of them are taken. */
export class Places {
  private readonly taken = new Map<string, number>()

  constructor (private readonly questions: Question[]) {}

  private takenOf (path: string, option: string): number {
    return this.taken.get(`${path} ${option}`) ?? 0
  }

  /** Takes the places that answers need. Returns the locations of those that found none. */
  take (answers: Values): string[] {
    const lacking: string[] = []
    for (const { path, at, question, value } of leaves(this.questions, answers)) {
      const places = own(question.places ?? {}, value)
      if (places === undefined) continue
      const keys = keysIn(path)
      const taken = this.takenOf(keys, value)
      if (taken >= places) lacking.push(at)
      this.taken.set(`${keys} ${value}`, taken + 1)
    }
    return lacking
  }

  /** The places of a question that are left. */
  free (path: string, { places }: Question): Record<string, number> {
    return Object.fromEntries(Object.entries<number>(places).map(([option, number]) =>
      [option, Math.max(0, number - this.takenOf(path, option))]))
  }
}
