// Forms.

import { conflict, notFound } from './errors'
import { checkIds, type Question } from './questions'
import type { Store } from './store'

export interface Form { id: string, title: string, questions: Question[], state: string }

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

  add (fields: Omit<Form, 'state'>): void {
    checkIds(fields.questions)
    if (this.store.tables.forms.has(fields.id)) throw conflict('form-exists')
    this.store.put('forms', fields.id, { ...fields, state: 'open' })
  }

  setState (id: string, state: string): void {
    const form = this.get(id)
    if (form.state === state) throw conflict(state)
    this.store.put('forms', id, { ...form, state })
  }
}
