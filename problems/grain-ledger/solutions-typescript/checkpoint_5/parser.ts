// Reads the parts of a line.

import { parseDecimal } from './decimals'
import { BINARY, type Expression, LEVEL, LOWEST, UNARY } from './nodes'
import { LineFault, type Token, type TokenKind, tokenize } from './tokens'
import { type Place } from './values'

export class Parser {
  /** The comment at the end of the line. */
  readonly comment: string | undefined
  private readonly tokens: Token[]
  private position = 0

  /** `where` is the line's name in places. */
  constructor (line: string, private readonly where: string) {
    const { tokens, comment } = tokenize(line)
    this.tokens = tokens
    this.comment = comment
  }

  get current (): Token {
    return this.tokens[this.position]
  }

  isEmpty (): boolean {
    return this.tokens.length === 1
  }

  /** Whether the line is of the kind that begins with the word, and no definition of that name. */
  begins (word: string): boolean {
    return this.tokens[0].text === word && this.tokens[1].text !== '='
  }

  /** Whether the line is nothing but the word. */
  isOnly (word: string): boolean {
    return this.tokens.length === 2 && this.tokens[0].text === word
  }

  advance (): Token {
    return this.tokens[this.position++]
  }

  accept (text: string): boolean {
    const found = this.isAt(text)
    if (found) this.position++
    return found
  }

  expect (text: string): void {
    if (!this.accept(text)) this.refuse()
  }

  expectKind (kind: TokenKind): Token {
    if (this.current.kind !== kind) this.refuse()
    return this.advance()
  }

  /** A name without points. */
  plainName (): Token {
    if (this.current.text.includes('.')) this.refuse()
    return this.expectKind('name')
  }

  /** One or more of something, with a sign between them. */
  separated<T> (sign: string, item: () => T): T[] {
    const items = [item()]
    while (this.accept(sign)) items.push(item())
    return items
  }

  /** Refuses the part that is read next. */
  refuse (): never {
    const { kind, text, column } = this.current
    throw new LineFault(kind === 'end' ? 'unexpected end of line' : `unexpected '${text}'`, column)
  }

  /** A whole expression, which may be a `let`. */
  expression (): Expression {
    const token = this.current
    if (!this.accept('let')) return this.operation(LOWEST)
    const name = this.plainName().text
    this.expect('=')
    const value = this.expression()
    this.expect('in')
    return { kind: 'let', name, value, body: this.expression(), place: this.place(token) }
  }

  /** An expression whose operators bind at least as tightly as `lowest`. */
  private operation (lowest: number): Expression {
    let left = this.prefix(lowest)
    for (let level = this.level(); level !== undefined && level >= lowest; level = this.level()) {
      const token = this.advance()
      const right = this.operation(level === LEVEL.power ? LEVEL.negate : level + 1)
      left = { kind: 'binary', operator: token.text, left, right, place: this.place(token) }
      if (level === LEVEL.compare && this.level() === LEVEL.compare) this.refuse()
    }
    return left
  }

  private isAt (text: string): boolean {
    const { kind } = this.current
    return (kind === 'sign' || kind === 'word') && this.current.text === text
  }

  private level (): number | undefined {
    return this.isAt(this.current.text) ? BINARY.get(this.current.text) : undefined
  }

  private place (token: Token): Place {
    return { where: this.where, column: token.column }
  }

  private prefix (lowest: number): Expression {
    const level = this.isAt(this.current.text) ? UNARY.get(this.current.text) : undefined
    if (level === undefined) return this.operand()
    if (level < lowest) this.refuse()
    const token = this.advance()
    return { kind: 'unary', operator: token.text, operand: this.operation(level), place: this.place(token) }
  }

  private operand (): Expression {
    if (this.accept('(')) {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    const token = this.current
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: parseDecimal(this.advance().text)! }
      case 'text':
        return { kind: 'text', value: unquoted(this.advance().text) }
      case 'name':
        return this.nameOrCall(this.advance())
      default:
        return this.refuse()
    }
  }

  private nameOrCall (token: Token): Expression {
    const place = this.place(token)
    if (!this.accept('(')) return { kind: 'name', name: token.text, place }
    return { kind: 'call', name: token.text, arguments: this.list(() => this.expression()), place }
  }

  /** What stands between parentheses, the first of which has been read, with commas between. */
  list<T> (item: () => T): T[] {
    if (this.accept(')')) return []
    const items = this.separated(',', item)
    this.expect(')')
    return items
  }
}

/** What a text between double quotes says. */
export const unquoted = (text: string): string => text.slice(1, -1).replaceAll('""', '"')
