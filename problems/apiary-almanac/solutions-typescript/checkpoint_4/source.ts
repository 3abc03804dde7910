// The lines of a definition, with those of parts in place of their uses.

import * as path from 'path'

import { at, Fault } from './faults'
import { readLines } from './files'
import { Words } from './words'

/** A line, and its place in messages. */
export interface Line { place: string, text: string }

interface Part { parameters: string[], lines: Line[] }

function firstWord ({ text }: Line): string {
  return text.replaceAll('"', ' "').trim().split(/\s+/)[0]
}

/** The lines that are neither empty nor comments. */
function withWords (lines: Line[]): Line[] {
  return lines.filter(line => firstWord(line) !== '' && !firstWord(line).startsWith('#'))
}

function linesOf (texts: string[], prefix: string): Line[] {
  return withWords(texts.map((text, index) => ({ place: `${prefix} ${index + 1}`, text })))
}

/** Every line that is not about parts, in the order in which they count. */
export function eachLine (file: string): Generator<Line> {
  const source = new Source(path.dirname(file))
  return source.expanded(linesOf(readLines(file), 'line'))
}

class Source {
  private readonly parts = new Map<string, Part>()
  private readonly using: string[] = []

  constructor (private readonly folder: string) {}

  * expanded (lines: Line[]): Generator<Line> {
    const rest = [...lines]
    while (rest.length > 0) {
      const line = rest.shift()!
      switch (firstWord(line)) {
        case 'parts':
          this.readParts(line)
          break
        case 'use':
          yield * this.used(line)
          break
        case 'part':
        case 'end':
          this.takePart(line, rest)
          break
        default:
          yield line
      }
    }
  }

  /** Takes the parts of another file. */
  private readParts (line: Line): void {
    const lines = at(line.place, () => {
      const words = new Words(line.text)
      words.take()
      const name = words.text()
      words.end()
      return linesOf(readLines(path.join(this.folder, name), name), `${name} line`)
    })
    while (lines.length > 0) {
      const inner = lines.shift()!
      if (!['part', 'end'].includes(firstWord(inner))) {
        at(inner.place, () => { throw new Fault(`unknown word ${new Words(inner.text).take()}`) })
      }
      this.takePart(inner, lines)
    }
  }

  /** Takes a part, whose first line this is, and its lines from the rest. */
  private takePart (line: Line, rest: Line[]): void {
    const { name, parameters } = at(line.place, () => this.partHead(new Words(line.text)))
    this.parts.set(name, { parameters, lines: takeBody(line, rest) })
  }

  private partHead (words: Words): { name: string, parameters: string[] } {
    if (words.take() === 'end') throw new Fault('end without part')
    const name = words.name()
    const parameters: string[] = []
    while (words.more()) {
      const parameter = words.name()
      if (parameters.includes(parameter)) throw words.unexpected()
      parameters.push(parameter)
    }
    if (this.parts.has(name)) throw new Fault(`part ${name} given twice`)
    return { name, parameters }
  }

  private * used (line: Line): Generator<Line> {
    const { name, values, part } = at(line.place, () => this.use(new Words(line.text)))
    this.using.push(name)
    yield * this.expanded(withWords(part.lines.map(inner => filled(inner, values, line.place))))
    this.using.pop()
  }

  private use (words: Words): { name: string, values: Map<string, string>, part: Part } {
    words.take()
    const name = words.name()
    const given: string[] = []
    while (words.more()) given.push(words.take().replaceAll('"', ''))
    const part = this.parts.get(name)
    if (part === undefined) throw new Fault(`no part ${name}`)
    if (this.using.includes(name)) throw new Fault(`part ${name} uses itself`)
    if (given.length !== part.parameters.length) throw new Fault(`part ${name} needs ${part.parameters.length} words`)
    return { name, values: new Map(part.parameters.map((parameter, index) => [parameter, given[index]])), part }
  }
}

/** Takes the lines of a part up to its end. */
function takeBody (head: Line, rest: Line[]): Line[] {
  const body: Line[] = []
  while (rest.length > 0) {
    const line = rest.shift()!
    if (firstWord(line) === 'end') {
      at(line.place, () => readEnd(new Words(line.text)))
      return body
    }
    if (['part', 'parts'].includes(firstWord(line))) throw new Fault(`${line.place}: part within a part`)
    body.push(line)
  }
  throw new Fault(`${head.place}: part without end`)
}

function readEnd (words: Words): void {
  words.take()
  words.end()
}

/** A line of a part with the words of its use in the holes. */
function filled ({ place, text }: Line, values: Map<string, string>, use: string): Line {
  const words = text.replace(/\{([a-z][a-z0-9_]*)\}/g, (hole, name: string) => values.get(name) ?? hole)
  return { place: `${place} (used in ${use})`, text: words }
}
