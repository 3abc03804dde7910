// The words of a line of a definition.

import { Fault } from './faults'
import { isName } from './records'
import { numberOf, type Value } from './values'

const WORD = /"[^"]*"|[^\s"]+/g

export function isQuoted (word: string): boolean {
  return word.startsWith('"')
}

/** Words that are taken from left to right. */
export class Words {
  private readonly words: string[]
  private position = 0

  constructor (line: string) {
    if (line.split('"').length % 2 === 0) throw new Fault('quote is not closed')
    this.words = line.match(WORD) ?? []
  }

  more (): boolean {
    return this.position < this.words.length
  }

  take (): string {
    if (!this.more()) throw new Fault('line ends too early')
    return this.words[this.position++]
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

  /** A number or a quoted text. */
  value (): Value {
    const word = this.take()
    const value = isQuoted(word) ? word.slice(1, -1) : numberOf(word)
    if (value === null) throw this.unexpected()
    return value
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
