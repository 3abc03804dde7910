// Papers: forms and blocks. They have editions, and a draft of the next one.

import { edited, namesIn, TITLE, type Draft } from './edits'
import { conflict, editRefused, notFound, Refusal } from './errors'
import { Keys, shown } from './identity'
import { LATEST } from './kinds'
import { checkNew, walk, type Question } from './questions'
import { compareCodes, type Values } from './shapes'
import type { Store } from './store'

interface Edition { title: string, questions: Question[] }

/** The names that each revision has touched are kept for later merges. */
export interface Paper { id: string, state: string, editions: Edition[], draft: Draft, touched: string[][] }

/** All papers of one sort. */
class Papers {
  protected readonly papers: Map<string, Paper>

  constructor (protected readonly store: Store, private readonly sort: 'form' | 'block') {
    this.papers = store.tables[`${sort}s`]
  }

  all (): Paper[] {
    return [...this.papers.values()]
  }

  get (id: string): Paper {
    const paper = this.papers.get(id)
    if (paper === undefined) throw notFound(`no-such-${this.sort}`)
    return paper
  }

  add ({ id, title, questions }: Edition & { id: string }): void {
    checkNew(questions)
    const complete = this.complete(questions)
    if (this.papers.has(id)) throw conflict(`${this.sort}-exists`)
    const keys = new Keys(0)
    const first = { title, questions: complete.map(question => keys.giveAll(question)) }
    this.keep({ id, state: 'open', editions: [first], draft: { revision: 0, ...first }, touched: [] })
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

  /** The questions of an edition, with their keys and all that is inside them. */
  questions (id: string, number: number): Question[] {
    return this.resolved(this.findEdition(id, number).questions)
  }

  edition (id: string, number: number): Values {
    return { [this.sort]: id, edition: number, ...this.visible(this.findEdition(id, number)) }
  }

  /** The edition with the number that a text writes. */
  editionNamed (id: string, text: string): Values {
    this.get(id)
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw notFound('no-such-edition')
    return this.edition(id, Number(text))
  }

  draft (id: string): Values {
    return { [this.sort]: id, ...this.visible(this.get(id).draft) }
  }

  edit (id: string, revision: number, edits: Values[], isMerge: boolean): Values {
    const paper = this.get(id)
    const present = paper.draft.revision
    if (revision > present || (revision < present && !isMerge)) throw conflict('stale', { revision: present })
    checkClashes(edits, paper.touched.slice(revision).flat(), present)
    const { draft, touched } = edited(paper.draft, edits, question => this.completeInEdit(question))
    this.keep({ ...paper, draft, touched: [...paper.touched, touched] })
    return this.draft(id)
  }

  publish (id: string): Values {
    const paper = this.get(id)
    const { title, questions } = paper.draft
    const latest = this.visible(paper.editions[paper.editions.length - 1])
    if (canonical(this.visible({ title, questions })) === canonical(latest)) throw conflict('nothing-new')
    this.keep({ ...paper, editions: [...paper.editions, { title, questions }] })
    return this.edition(id, this.latest(id))
  }

  /** The questions with everything that depends on other papers. */
  protected complete (questions: Question[]): Question[] {
    return questions
  }

  /** The questions with those of blocks inside. */
  protected resolved (questions: Question[]): Question[] {
    return questions
  }

  private completeInEdit (question: Question): Question {
    try {
      return this.complete([question])[0]
    } catch (error) {
      throw error instanceof Refusal ? editRefused(error.message) : error
    }
  }

  /** An edition or a draft as others see it. */
  private visible<T extends Edition> (edition: T): T {
    return { ...edition, questions: shown(this.resolved(edition.questions)) }
  }

  protected keep (paper: Paper): void {
    this.store.put(`${this.sort}s`, paper.id, paper)
  }
}

export class Blocks extends Papers {
  constructor (store: Store) {
    super(store, 'block')
  }

  /** The questions of the editions on the way from one to another. */
  between (id: string, older: number, newer: number): Question[][] {
    const numbers = newer < older
      ? [older, newer]
      : Array.from({ length: newer - older + 1 }, (_, index) => older + index)
    return numbers.map(number => this.questions(id, number))
  }
}

export class Forms extends Papers {
  constructor (store: Store, private readonly blocks: Blocks) {
    super(store, 'form')
  }

  getOpen (id: string): Paper {
    const form = this.get(id)
    if (form.state === 'closed') throw conflict('closed')
    return form
  }

  setState (id: string, state: string): void {
    const form = this.get(id)
    if (form.state === state) throw conflict(state)
    this.keep({ ...form, state })
  }

  /** The ids of the forms whose latest edition uses a block. */
  using (block: string): string[] {
    const forms = this.all().filter(({ editions }) =>
      [...walk(editions[editions.length - 1].questions)].some(({ question }) => question.block === block))
    return forms.map(({ id }) => id).sort(compareCodes)
  }

  protected override complete (questions: Question[]): Question[] {
    return withBlocks(questions, question => {
      const edition = question.edition === LATEST ? this.blocks.latest(question.block) : question.edition
      this.blocks.edition(question.block, edition)
      return { ...question, edition }
    })
  }

  protected override resolved (questions: Question[]): Question[] {
    return withBlocks(questions, question =>
      ({ ...question, questions: this.blocks.questions(question.block, question.edition) }))
  }
}

/** The questions with each block changed, in groups, too. */
function withBlocks (questions: Question[], change: (question: Question) => Question): Question[] {
  return questions.map(question => {
    if (question.kind === 'block') return change(question)
    if (question.questions === undefined) return question
    return { ...question, questions: withBlocks(question.questions, change) }
  })
}

function checkClashes (edits: Values[], touched: string[], revision: number): void {
  const clashes = [...new Set(namesIn(edits))].filter(name => touched.includes(name))
  if (clashes.length === 0) return
  const questions = clashes.filter(name => name !== TITLE)
  throw conflict('clash', { revision, questions, title: clashes.includes(TITLE) })
}

/** A text that is the same for equal values only. */
function canonical (value: unknown): string {
  return JSON.stringify(value, (_key, part) => sorted(part))
}

function sorted (value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
}
