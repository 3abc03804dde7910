// Questions about sheets: a parser that knows comparisons and nothing else.

import { compareCodes } from './paths'
import { Refusal } from './refusal'

interface Found {
  path: string
  text: string
}

type Question = (sheet: Found) => boolean
type Value = string | number

interface Token {
  kind: 'word' | 'number' | 'text' | 'sign'
  text: string
}

const MOST_CHARACTERS = 1000
const MOST_OPEN = 20
const TOKEN = / *(?:(?<word>[a-z]+)(?![a-z0-9])|(?<number>[0-9]{1,9})(?![a-z0-9])|(?<text>"(?:[^"\\]|\\["\\])*")|(?<sign>!=|[=<>~()]))/suy

const FIELDS = new Map<string, (sheet: Found) => Value>([
  ['path', ({ path }) => path],
  ['folder', ({ path }) => path.includes('/') ? path.split('/')[0] : ''],
  ['text', ({ text }) => text],
  ['size', ({ text }) => [...text].length],
  ['lines', ({ text }) => text.split('\n').length - 1]
])

const COMPARISONS = new Map<string, (field: Value, value: Value) => boolean>([
  ['=', (field, value) => field === value],
  ['!=', (field, value) => field !== value],
  ['<', (field, value) => compare(field, value) < 0],
  ['>', (field, value) => compare(field, value) > 0],
  ['~', (field, value) => String(field).includes(String(value))]
])

function compare (field: Value, value: Value): number {
  return typeof field === 'number' ? field - Number(value) : compareCodes(field, String(value))
}

/** A function of a sheet that answers the question. */
export function parseQuestion (question: string): Question {
  if ([...question].length > MOST_CHARACTERS) throw bad()
  return new Parser(tokens(question)).whole()
}

function bad (): Refusal {
  return new Refusal('bad question')
}

function tokens (question: string): Token[] {
  const text = question.replace(/ +$/, '')
  const found: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const [token] = Object.entries(TOKEN.exec(text)?.groups ?? {}).filter(([, part]) => part !== undefined)
    if (token === undefined) throw bad()
    found.push({ kind: token[0] as Token['kind'], text: token[1] })
  }
  return found
}

/** Recursive descent over the tokens. */
class Parser {
  private at = 0
  private open = 0

  constructor (private readonly tokens: Token[]) {}

  whole (): Question {
    const question = this.any()
    if (this.at < this.tokens.length) throw bad()
    return question
  }

  private any (): Question {
    const parts = this.separated('or', () => this.all())
    return sheet => parts.some(part => part(sheet))
  }

  private all (): Question {
    const parts = this.separated('and', () => this.single())
    return sheet => parts.every(part => part(sheet))
  }

  private separated (word: string, part: () => Question): Question[] {
    const parts = [part()]
    while (this.took('word', word)) parts.push(part())
    return parts
  }

  private single (): Question {
    if (this.took('word', 'not')) {
      const question = this.nested(() => this.single())
      return sheet => !question(sheet)
    }
    if (this.took('sign', '(')) {
      const question = this.nested(() => this.any())
      if (!this.took('sign', ')')) throw bad()
      return question
    }
    return this.comparison()
  }

  private nested (part: () => Question): Question {
    this.open++
    if (this.open > MOST_OPEN) throw bad()
    const question = part()
    this.open--
    return question
  }

  private comparison (): Question {
    const [field, sign, value] = this.tokens.slice(this.at, this.at + 3)
    this.at += 3
    const read = FIELDS.get(field?.kind === 'word' ? field.text : '')
    const holds = COMPARISONS.get(sign?.text ?? '')
    if (read === undefined || holds === undefined || value === undefined) throw bad()
    const isNumber = field.text === 'size' || field.text === 'lines'
    if (value.kind !== (isNumber ? 'number' : 'text') || (isNumber && sign.text === '~')) throw bad()
    const wanted = isNumber ? Number(value.text) : value.text.slice(1, -1).replace(/\\(.)/gs, '$1')
    return sheet => holds(read(sheet), wanted)
  }

  private took (kind: Token['kind'], text: string): boolean {
    const token = this.tokens[this.at]
    const isIt = token?.kind === kind && token.text === text
    if (isIt) this.at++
    return isIt
  }
}
