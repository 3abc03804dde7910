// Cuts a line into numbers, names, texts and signs.

import { parseDecimal } from './decimals'

export type TokenKind = 'number' | 'name' | 'word' | 'text' | 'sign' | 'end'

export interface Token {
  kind: TokenKind
  /** As it is written in the file. */
  text: string
  /** From 1, in code points. */
  column: number
}

/** A fault of a line. */
export class LineFault {
  constructor (readonly message: string, readonly column: number) {}
}

const RESERVED = new Set(['and', 'or', 'not'])

const FORMS: Array<[TokenKind, RegExp]> = [
  ['number', /[0-9]+(?:\.[0-9]+)?/uy],
  ['name', /[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*/uy],
  ['text', /"(?:[^"]|"")*"(?!")/uy],
  ['sign', /<>|<=|>=|[=<>&+\-*/^(),|]/uy]
]

const BLANKS = /[ \t]*/y

/** The parts of a line, the last of which is its end, one column after what stands before it; and its comment. */
export function tokenize (line: string): { tokens: Token[], comment?: string } {
  const tokens: Token[] = []
  let offset = 0
  let column = 1
  let end = 1
  while (true) {
    BLANKS.lastIndex = offset
    const blanks = BLANKS.exec(line)![0].length
    offset += blanks
    column += blanks
    if (offset >= line.length || line[offset] === '#') break
    const token = nextToken(line, offset, column)
    tokens.push(token)
    offset += token.text.length
    column += Array.from(token.text).length
    end = column
  }
  tokens.push({ kind: 'end', text: '', column: end })
  return { tokens, comment: offset < line.length ? line.slice(offset).trimEnd() : undefined }
}

function nextToken (line: string, offset: number, column: number): Token {
  for (const [kind, form] of FORMS) {
    form.lastIndex = offset
    const text = form.exec(line)?.[0]
    if (text === undefined) continue
    if (kind === 'number' && parseDecimal(text) === undefined) throw new LineFault('number too long', column)
    return { kind: RESERVED.has(text) ? 'word' : kind, text, column }
  }
  const character = String.fromCodePoint(line.codePointAt(offset)!)
  throw new LineFault(character === '"' ? 'text is not closed' : `unexpected character '${character}'`, column)
}
