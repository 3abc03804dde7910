// Which questions and options stay the same: each has a key that no edit changes. Keys are kept with
// the questions, but are never shown.

import type { Question } from './questions'

export const HIDDEN = ['key', 'optionKeys']

/** New keys, none of which was there before in the same form. */
export class Keys {
  private count = 0

  constructor (private readonly revision: number) {}

  private next (): string {
    return `${this.revision}.${this.count++}`
  }

  /** The question, and those inside it, with keys of their own. */
  giveAll (question: Question): Question {
    const keyed = this.giveOptions({ ...question, key: this.next() })
    if (keyed.questions === undefined) return keyed
    return { ...keyed, questions: keyed.questions.map((inner: Question) => this.giveAll(inner)) }
  }

  /** The question with keys of its options: those that are known by their words, or new ones. */
  giveOptions (question: Question, known: Record<string, string> = {}): Question {
    if (question.options === undefined) return question
    const keyOf = (option: string): string => Object.hasOwn(known, option) ? known[option] : this.next()
    const optionKeys = Object.fromEntries(question.options.map((option: string) => [option, keyOf(option)]))
    return { ...question, optionKeys }
  }
}

/** The questions without their keys. */
export function shown (questions: Question[]): Question[] {
  return questions.map(question => {
    const visible = Object.entries(question).filter(([name]) => !HIDDEN.includes(name))
    const result = Object.fromEntries(visible) as Question
    return question.questions === undefined ? result : { ...result, questions: shown(question.questions) }
  })
}
