// Replies to forms.

import { judged } from './answers'
import { conflict, notFound } from './errors'
import type { Forms } from './forms'
import { matches, type Values } from './shapes'
import type { Store } from './store'

export interface Reply { id: string, form: string, by: string, answers: Values }

export class Replies {
  constructor (private readonly store: Store, private readonly forms: Forms) {}

  get (id: string): Reply {
    const reply = this.store.tables.replies.get(id)
    if (reply === undefined) throw notFound('no-such-reply')
    return reply
  }

  add (form: string, by: string, answers: Values): Reply {
    const { questions } = this.forms.getOpen(form)
    const [earlier] = this.of(form, { by })
    if (earlier !== undefined) throw conflict('replied', { reply: earlier.id })
    const kept = judged(questions, answers)
    return this.keep({ id: this.nextId(), form, by, answers: kept })
  }

  replaceAnswers (id: string, answers: Values): Reply {
    const reply = this.get(id)
    const { questions } = this.forms.getOpen(reply.form)
    return this.keep({ ...reply, answers: judged(questions, answers) })
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
