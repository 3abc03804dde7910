// The words of a line of a definition.

import { Fault } from './faults'
import type { Fraction } from './fractions'
import { isName } from './records'
import { numberOf } from './values'

const WORD = /"[^"]*"|[^\s"]+/g
const EXPRESSION_WORD = /"[^"]*"|[=!<>]+|[-+*/&(),]|[^\s"=!<>*/&(),+-]+/g
const WITH_EXPRESSIONS = ['where', 'compute']

export function isQuoted (word: string): boolean {
  return word.startsWith('"')
}

/** Words that are taken from left to right. */
export class Words {
  private readonly words: string[]
  private position = 0

  constructor (line: string) {
    if (line.split('"').length % 2 === 0) throw new Fault('quote is not closed')
    const words = line.match(WORD) ?? []
    this.words = WITH_EXPRESSIONS.includes(words[0] ?? '') ? line.match(EXPRESSION_WORD) ?? [] : words
  }

  more (): boolean {
    return this.position < this.words.length
  }

  /** The next word, which is not taken. It is empty at the end. */
  next (): string {
    return this.words[this.position] ?? ''
  }

  take (): string {
    if (!this.more()) throw new Fault('line ends too early')
    return this.words[this.position++]
  }

  /** Takes the next word if it is this one. */
  took (word: string): boolean {
    const found = this.more() && this.next() === word
    if (found) this.position++
    return found
  }

  /** The fault of the word that was taken last. */
  unexpected (): Fault {
    return new Fault(`${this.words[this.position - 1]} is not expected`)
  }

  private expect (isExpected: (word: string) => boolean): string {
    const word = this.take()
    if (!isExpected(word)) throw this.unexpected()
    return word
  }

  oneOf<T extends string> (...allowed: readonly T[]): T {
    return this.expect(word => allowed.includes(word as T)) as T
  }

  field (): string {
    return this.expect(isName)
  }

  text (): string {
    return this.expect(isQuoted).slice(1, -1)
  }

  number (): Fraction {
    const number = numberOf(this.take())
    if (number === null) throw this.unexpected()
    return number
  }

  /** A whole number between two limits. */
  whole (name: string, least: number, most: number): number {
    const word = this.take()
    if (!/^[0-9]{1,6}$/.test(word) || Number(word) < least || Number(word) > most) {
      throw new Fault(`${name} must be from ${least} to ${most}`)
    }
    return Number(word)
  }

  end (): void {
    if (!this.more()) return
    this.take()
    throw this.unexpected()
  }
}
