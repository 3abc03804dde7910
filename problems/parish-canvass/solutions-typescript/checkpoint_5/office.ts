// The office: forms together with the replies to them.

import { summary } from './answers'
import { Blocks, Forms } from './papers'
import { Replies, type Reply } from './replies'
import type { Values } from './shapes'
import type { Store } from './store'

export class Office {
  readonly blocks: Blocks
  readonly forms: Forms
  readonly replies: Replies

  constructor (store: Store) {
    this.blocks = new Blocks(store)
    this.forms = new Forms(store, this.blocks)
    this.replies = new Replies(store, this.forms, this.blocks)
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

  /** The block as it is shown: its latest edition. */
  block (id: string): Values {
    const { block: _, ...edition } = this.blocks.edition(id, this.blocks.latest(id))
    return { id, ...edition, used_by: this.forms.using(id) }
  }

  listBlocks (): object[] {
    return this.blocks.all().map(({ id }) => withoutQuestions(this.block(id)))
  }

  listBlockEditions (id: string): object[] {
    return this.blocks.get(id).editions.map(({ title }, index) => ({ edition: index + 1, title }))
  }

  /** The replies as seen in an edition, without those of later ones. */
  seenReplies (id: string, edition: number, wanted: Partial<Reply>): object[] {
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
    const places = number === this.forms.latest(id) ? this.replies.places(id) : undefined
    const sums = summary(questions, replies.map(reply => this.replies.answersIn(reply, number)), places)
    return { form: id, edition: number, replies: replies.length, questions: sums }
  }
}

function withoutQuestions ({ questions: _, ...paper }: Values): object {
  return paper
}
