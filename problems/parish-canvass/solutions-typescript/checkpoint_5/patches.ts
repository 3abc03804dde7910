// Patches of answers: single ones in the entries of groups and in blocks, too.

import type { Findings } from './answers'
import type { Fault } from './errors'
import type { Question } from './questions'
import { isObject, own, type Values } from './shapes'

const LOCATION = /^[^.[\]]+(\[(0|[1-9][0-9]{0,8})\])?(\.[^.[\]]+){1,2}$/

function isInside (at: string, whole: string): boolean {
  return at.startsWith(`${whole}[`) || at.startsWith(`${whole}.`)
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
    const inside = entries.filter(([at]) => LOCATION.test(at))
    for (const [at, value] of inside.sort(([a], [b]) => a.split('.').length - b.split('.').length)) {
      const patched = withAnswer(questions, changed, at.match(/[^.[\]]+/g) ?? [], value)
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

/** The answers with another one at the end of some steps, or nothing if there is no such place. */
function withAnswer (questions: Question[], answers: Values, steps: string[], value: unknown): Values | undefined {
  const [id, ...further] = steps
  const question = questions.find(question => question.id === id)
  if (question === undefined) return undefined
  const patched = further.length === 0 ? value : withPart(question, own(answers, id), further, value)
  return patched === undefined ? undefined : { ...answers, [id]: patched }
}

function withPart (question: Question, part: unknown, steps: string[], value: unknown): unknown {
  if (question.kind === 'group') return withEntry(question, part, steps, value)
  const inside = part ?? {}
  if (question.kind !== 'block' || !(isObject(inside) || inside === '')) return undefined
  return withAnswer(question.questions, inside === '' ? {} : inside, steps, value)
}

function withEntry (group: Question, entries: unknown, [step, ...further]: string[], value: unknown): unknown {
  const position = /^[0-9]+$/.test(step) ? Number(step) : -1
  if (!Array.isArray(entries) || !isObject(entries[position])) return undefined
  const entry = withAnswer(group.questions, entries[position], further, value)
  return entry === undefined ? undefined : entries.with(position, entry)
}
