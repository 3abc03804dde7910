// Reads the lines of a sheet.

import { type Definition, Sheet } from './model'
import { Parser } from './parser'
import { LineFault } from './tokens'

export interface Fault {
  line: number
  column: number
  message: string
}

/** The lines of a text, without what ends them. */
function splitLines (text: string): string[] {
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  return lines.map(line => line.endsWith('\r') ? line.slice(0, -1) : line)
}

export function readSheet (text: string): { sheet: Sheet, faults: Fault[] } {
  const sheet = new Sheet()
  const faults: Fault[] = []
  splitLines(text).forEach((line, at) => {
    try {
      readLine(sheet, line, at + 1)
    } catch (fault) {
      if (!(fault instanceof LineFault)) throw fault
      faults.push({ line: at + 1, column: fault.column, message: fault.message })
    }
  })
  return { sheet, faults }
}

function readLine (sheet: Sheet, text: string, line: number): void {
  const parser = new Parser(text, String(line))
  if (parser.isEmpty()) return
  const name = parser.expectKind('name')
  parser.expect('=')
  const definition: Definition = { name: name.text, expression: parser.expression(), line }
  if (parser.current.kind !== 'end') parser.refuse()
  const earlier = sheet.definitions.get(name.text)
  if (earlier !== undefined) {
    throw new LineFault(`'${name.text}' is already defined in line ${earlier.line}`, name.column)
  }
  sheet.definitions.set(definition.name, definition)
}
