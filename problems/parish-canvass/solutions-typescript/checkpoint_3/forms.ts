// Forms: their editions, and the draft of the next one.

import { edited, type Draft } from './edits'
import { conflict, notFound } from './errors'
import { checkNew, type Question } from './questions'
import type { Values } from './shapes'
import type { Store } from './store'

interface Edition { title: string, questions: Question[] }

export interface Form { id: string, state: string, editions: Edition[], draft: Draft }

export class Forms {
  constructor (private readonly store: Store) {}

  all (): Form[] {
    return [...this.store.tables.forms.values()]
  }

  get (id: string): Form {
    const form = this.store.tables.forms.get(id)
    if (form === undefined) throw notFound('no-such-form')
    return form
  }

  getOpen (id: string): Form {
    const form = this.get(id)
    if (form.state === 'closed') throw conflict('closed')
    return form
  }

  add ({ id, title, questions }: Edition & { id: string }): void {
    checkNew(questions)
    if (this.store.tables.forms.has(id)) throw conflict('form-exists')
    const draft = { revision: 0, title, questions }
    this.keep({ id, state: 'open', editions: [{ title, questions }], draft })
  }

  setState (id: string, state: string): void {
    const form = this.get(id)
    if (form.state === state) throw conflict(state)
    this.keep({ ...form, state })
  }

  /** The number of the latest edition. */
  latest (id: string): number {
    return this.get(id).editions.length
  }

  private findEdition (id: string, number: number): Edition {
    const edition = this.get(id).editions[number - 1]
    if (edition === undefined) throw notFound('no-such-edition')
    return edition
  }

  questions (id: string, number: number): Question[] {
    return this.findEdition(id, number).questions
  }

  edition (id: string, number: number): Values {
    return { form: id, edition: number, ...this.findEdition(id, number) }
  }

  /** The edition with the number that a text writes. */
  editionNamed (id: string, text: string): Values {
    this.get(id)
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw notFound('no-such-edition')
    return this.edition(id, Number(text))
  }

  draft (id: string): Values {
    return { form: id, ...this.get(id).draft }
  }

  edit (id: string, revision: number, edits: Values[]): Values {
    const form = this.get(id)
    if (revision !== form.draft.revision) throw conflict('stale', { revision: form.draft.revision })
    this.keep({ ...form, draft: edited(form.draft, edits) })
    return this.draft(id)
  }

  publish (id: string): Values {
    const form = this.get(id)
    const { title, questions } = form.draft
    const latest = form.editions[form.editions.length - 1]
    if (canonical({ title, questions }) === canonical(latest)) throw conflict('nothing-new')
    this.keep({ ...form, editions: [...form.editions, { title, questions }] })
    return this.edition(id, this.latest(id))
  }

  private keep (form: Form): void {
    this.store.put('forms', form.id, form)
  }
}

/** A text that is the same for equal values only. */
function canonical (value: unknown): string {
  return JSON.stringify(value, (_key, part) => sorted(part))
}

function sorted (value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
}
