// The office: forms together with the replies to them.

import { summary } from './answers'
import { Forms } from './forms'
import { Replies } from './replies'
import type { Store } from './store'

export class Office {
  readonly forms: Forms
  readonly replies: Replies

  constructor (store: Store) {
    this.forms = new Forms(store)
    this.replies = new Replies(store, this.forms)
  }

  form (id: string): object {
    return { ...this.forms.get(id), replies: this.replies.of(id, {}).length }
  }

  listForms (): object[] {
    return this.forms.all().map(({ questions: _, ...form }) =>
      ({ ...form, replies: this.replies.of(form.id, {}).length }))
  }

  summary (id: string): object {
    const { questions } = this.forms.get(id)
    const replies = this.replies.of(id, {})
    return { form: id, replies: replies.length, questions: summary(questions, replies.map(({ answers }) => answers)) }
  }
}
