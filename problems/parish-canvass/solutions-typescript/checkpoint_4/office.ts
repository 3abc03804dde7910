// The office: forms together with the replies to them.

import { summary } from './answers'
import { Forms } from './forms'
import { Replies } from './replies'
import type { Values } from './shapes'
import type { Store } from './store'

export class Office {
  readonly forms: Forms
  readonly replies: Replies

  constructor (store: Store) {
    this.forms = new Forms(store)
    this.replies = new Replies(store, this.forms)
  }

  /** The form as it is shown: its latest edition. */
  form (id: string): Values {
    const { state } = this.forms.get(id)
    const { form: _, ...edition } = this.forms.edition(id, this.forms.latest(id))
    return { id, ...edition, state, replies: this.replies.sentTo(id).length }
  }

  listForms (): object[] {
    return this.forms.all().map(({ id }) => withoutQuestions(this.form(id)))
  }

  listEditions (id: string): object[] {
    return this.forms.get(id).editions.map(({ title }, index) => ({
      edition: index + 1,
      title,
      replies: this.replies.sentTo(id, { edition: index + 1 }).length
    }))
  }

  /** The replies as seen in an edition, without those of later ones. */
  seenReplies (id: string, edition: number, wanted: Values): object[] {
    this.forms.questions(id, edition)
    return this.replies.of(id, wanted)
      .filter(reply => reply.edition <= edition)
      .map(reply => this.replies.seen(reply, edition))
  }

  /** The summary of an edition, with replies of earlier ones if wanted. */
  summary (id: string, number = this.forms.latest(id), takesAll = false): object {
    const questions = this.forms.questions(id, number)
    const replies = this.replies.sentTo(id)
      .filter(({ edition }) => edition === number || (takesAll && edition < number))
    const sums = summary(questions, replies.map(reply => this.replies.answersIn(reply, number)))
    return { form: id, edition: number, replies: replies.length, questions: sums }
  }
}

function withoutQuestions ({ questions: _, ...paper }: Values): object {
  return paper
}
