// Replies to forms: begun or sent, each by the questions of its own edition.

import { Findings, pruned } from './answers'
import { conflict, notFound, refuseFaults } from './errors'
import type { Blocks, Forms } from './papers'
import { lostLocations, Passage } from './passage'
import { Patch } from './patches'
import { Places } from './places'
import type { Question } from './questions'
import { matches, type Values } from './shapes'
import type { Store } from './store'

export interface Reply {
  id: string
  form: string
  by: string
  edition: number
  state: 'begun' | 'sent'
  answers: Values
}

export class Replies {
  private readonly passage: Passage

  constructor (private readonly store: Store, private readonly forms: Forms, blocks: Blocks) {
    this.passage = new Passage((block, older, newer) => blocks.between(block, older, newer))
  }

  get (id: string): Reply {
    const reply = this.store.tables.replies.get(id)
    if (reply === undefined) throw notFound('no-such-reply')
    return reply
  }

  add (form: string, { by, answers, send }: Values): Reply {
    this.forms.getOpen(form)
    const [earlier] = this.of(form, { by })
    if (earlier !== undefined) throw conflict('replied', { reply: earlier.id })
    const edition = this.forms.latest(form)
    const draft: Reply = { id: '', form, by, edition, state: send === true ? 'sent' : 'begun', answers: {} }
    const reply = { ...draft, answers: this.judged(draft, answers) }
    this.checkPlaces(reply)
    return this.keep({ ...reply, id: this.nextId() })
  }

  replaceAnswers (id: string, answers: Values): Reply {
    const reply = this.get(id)
    this.forms.getOpen(reply.form)
    const replaced = { ...reply, answers: this.judged(reply, answers) }
    this.checkPlaces(replaced)
    return this.keep(replaced)
  }

  changeAnswers (id: string, changes: Values): Reply {
    const reply = this.getBegun(id)
    const questions = this.questions(reply)
    const patch = new Patch(questions, reply.answers, changes)
    refuseFaults(patch.faultsOf(new Findings(questions, patch.answers)))
    return this.keep({ ...reply, answers: pruned(questions, patch.answers) })
  }

  send (id: string): Reply {
    const reply = this.getBegun(id)
    const findings = this.examined(reply)
    refuseFaults(findings.faultsWhere(() => false, true))
    const sent: Reply = { ...reply, state: 'sent', answers: findings.asked }
    this.checkPlaces(sent)
    return this.keep(sent)
  }

  /** The reply as it is shown. */
  shown (reply: Reply): object {
    if (reply.state === 'sent') return reply
    const { asked, missing } = this.examined(reply)
    return { ...reply, answers: asked, open: missing }
  }

  private questions ({ form, edition }: Reply): Question[] {
    return this.forms.questions(form, edition)
  }

  private examined (reply: Reply): Findings {
    return new Findings(this.questions(reply), reply.answers)
  }

  /** The answers as they are kept, if there is no fault in them. */
  private judged (reply: Reply, answers: Values): Values {
    const findings = new Findings(this.questions(reply), answers)
    refuseFaults(findings.faultsWhere(() => true, reply.state === 'sent'))
    return findings.asked
  }

  /** The answers that are asked, taken along to an edition that is not earlier. */
  answersIn (reply: Reply, edition: number): Values {
    const count = Math.max(1, edition - reply.edition + 1)
    const editions = Array.from({ length: count }, (_, index) => this.forms.questions(reply.form, reply.edition + index))
    return this.passage.takenAlong(editions, this.examined(reply).asked)
  }

  /** The reply as it is shown when it is seen in an edition. */
  seen (reply: Reply, edition: number): Reply & { open: string[], lost: string[] } {
    const questions = this.forms.questions(reply.form, edition)
    if (edition < reply.edition) throw conflict('earlier-edition')
    const answers = this.answersIn(reply, edition)
    return {
      ...reply,
      edition,
      answers,
      open: new Findings(questions, answers).missing,
      lost: lostLocations(this.questions(reply), this.answersIn(reply, reply.edition), questions, answers)
    }
  }

  /** Moves a reply to an edition. */
  move (id: string, edition?: number): object {
    const reply = this.get(id)
    const number = edition ?? this.forms.latest(reply.form)
    this.forms.questions(reply.form, number)
    this.forms.getOpen(reply.form)
    const { answers, open, lost } = this.seen(reply, number)
    if (number === reply.edition) throw conflict('same-edition')
    if (reply.state === 'sent') refuseFaults(open.map(at => ({ at, fault: 'missing' })))
    return { ...this.shown(this.keep({ ...reply, edition: number, answers })), lost }
  }

  /** The places of the latest edition, without those that sent replies take, except one. */
  places (form: string, except?: string): Places {
    const latest = this.forms.latest(form)
    const places = new Places(this.forms.questions(form, latest))
    for (const reply of this.sentTo(form)) {
      if (reply.id !== except) places.take(this.answersIn(reply, latest))
    }
    return places
  }

  /** Refuses a sent reply that finds no place. */
  private checkPlaces (reply: Reply): void {
    if (reply.state !== 'sent') return
    const answers = this.answersIn(reply, this.forms.latest(reply.form))
    const lacking = this.places(reply.form, reply.id).take(answers)
    if (lacking.length > 0) throw conflict('full', { at: lacking })
  }

  private getBegun (id: string): Reply {
    const reply = this.get(id)
    if (reply.state === 'sent') throw conflict('sent')
    this.forms.getOpen(reply.form)
    return reply
  }

  sentTo (form: string, wanted: Partial<Reply> = {}): Reply[] {
    return this.of(form, { ...wanted, state: 'sent' })
  }

  remove (id: string): void {
    this.get(id)
    this.store.remove('replies', id)
  }

  /** The replies to a form that have all values that are wanted. */
  of (form: string, wanted: Partial<Reply>): Reply[] {
    this.forms.get(form)
    return [...this.store.tables.replies.values()].filter(reply => matches(reply, { ...wanted, form }))
  }

  private keep (reply: Reply): Reply {
    this.store.put('replies', reply.id, reply)
    return reply
  }

  private nextId (): string {
    const number = (this.store.tables.numbers.get('replies') ?? 0) + 1
    this.store.put('numbers', 'replies', number)
    return `R${number}`
  }
}
