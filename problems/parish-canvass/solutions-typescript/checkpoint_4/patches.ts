// Patches of answers: single ones in the entries of groups, too.

import type { Findings } from './answers'
import type { Fault } from './errors'
import type { Question } from './questions'
import { isObject, own, type Values } from './shapes'

const LOCATION = /^([^.[\]]+)\[(0|[1-9][0-9]{0,8})\]\.([^.[\]]+)$/

function isInside (at: string, whole: string): boolean {
  return at.startsWith(`${whole}[`)
}

/** The answers of a reply with some of them changed. Wholes are changed before their parts. */
export class Patch {
  readonly answers: Values
  private readonly given: string[]
  private readonly unknown: string[] = []

  constructor (questions: Question[], answers: Values, changes: Values) {
    const entries = Object.entries(changes)
    this.given = entries.filter(([, value]) => value !== null && value !== '').map(([at]) => at)
    let changed: Values = { ...answers, ...Object.fromEntries(entries.filter(([at]) => !LOCATION.test(at))) }
    for (const [at, value] of entries.filter(([at]) => LOCATION.test(at))) {
      const patched = withAnswer(questions, changed, at, value)
      if (patched === undefined) this.unknown.push(at)
      else changed = patched
    }
    this.answers = changed
  }

  /** The faults to report of the answers with the changes. */
  faultsOf (findings: Findings): Fault[] {
    const notAsked = this.given
      .filter(at => !this.unknown.includes(at) && findings.notAsked.some(whole => isInside(at, whole)))
    return [
      ...this.unknown.map(at => ({ at, fault: 'unknown' })),
      ...notAsked.map(at => ({ at, fault: 'not-asked' })),
      ...findings.faultsWhere(at => this.names(at), false)
    ]
  }

  /** Whether the answer at a location, or a whole around it, comes from the patch. */
  private names (at: string): boolean {
    return this.given.some(given => at === given || isInside(at, given))
  }
}

/** The answers with another one in an entry, or nothing if there is no such place. */
function withAnswer (questions: Question[], answers: Values, at: string, value: unknown): Values | undefined {
  const [, group, position, id] = LOCATION.exec(at)!
  const inner: Question[] = questions.find(question => question.id === group)?.questions ?? []
  const entries = own(answers, group)
  if (!Array.isArray(entries) || inner.every(question => question.id !== id)) return undefined
  if (!isObject(entries[Number(position)])) return undefined
  return { ...answers, [group]: entries.with(Number(position), { ...entries[Number(position)], [id]: value }) }
}
