// Reads the lines of a sheet.

import { LIBRARY } from './library'
import { Column, type Content, Definition, Sheet, type SheetFunction, Table } from './model'
import { Parser } from './parser'
import { LineFault, type Token } from './tokens'

export interface Fault {
  line: number
  column: number
  message: string
}

export function readSheet (text: string): { sheet: Sheet, faults: Fault[] } {
  const reader = new Reader()
  splitLines(text).forEach((line, at) => { reader.read(line, at + 1) })
  reader.finish()
  reader.faults.sort((a, b) => a.line - b.line || a.column - b.column)
  return { sheet: reader.sheet, faults: reader.faults }
}

/** The lines of a text, without what ends them. */
function splitLines (text: string): string[] {
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  return lines.map(line => line.endsWith('\r') ? line.slice(0, -1) : line)
}

class Reader {
  readonly sheet = new Sheet()
  readonly faults: Fault[] = []
  /** The table whose lines are read. */
  private table: Table | undefined

  read (text: string, line: number): void {
    try {
      this.readLine(new Parser(text, String(line)), line)
    } catch (fault) {
      if (!(fault instanceof LineFault)) throw fault
      this.faults.push({ line, column: fault.column, message: fault.message })
    }
  }

  finish (): void {
    if (this.table !== undefined) this.tableFault(this.table, `table '${this.table.name}' is not closed`)
  }

  /** A fault of a table as a whole, which is told at its name. */
  private tableFault (table: Table, message: string): void {
    this.faults.push({ line: table.line, column: table.position, message })
  }

  private readLine (parser: Parser, line: number): void {
    const wasInTable = this.table !== undefined
    const content = parser.isEmpty() ? undefined : this.content(parser, line)
    this.sheet.lines.push({ content, comment: parser.comment, inTable: wasInTable && content?.kind !== 'end' })
  }

  private content (parser: Parser, line: number): Content {
    if (this.table !== undefined) return this.tableLine(this.table, parser)
    if (parser.begins('table')) return this.openTable(parser, line)
    if (parser.begins('def')) return this.defineFunction(parser, line)
    const name = parser.plainName()
    parser.expect('=')
    const definition = new Definition(name.text, parser.expression(), line)
    parser.expectKind('end')
    this.checkNew(name)
    this.sheet.entries.set(definition.name, definition)
    return { kind: 'definition', definition }
  }

  private checkNew (name: Token): void {
    const earlier = this.sheet.entries.get(name.text)
    if (earlier === undefined) return
    throw new LineFault(`'${name.text}' is already defined in line ${earlier.line}`, name.column)
  }

  private defineFunction (parser: Parser, line: number): Content {
    parser.advance()
    const name = parser.plainName()
    parser.expect('(')
    const parameters = this.parameters(parser)
    parser.expect('=')
    const made: SheetFunction = { name: name.text, parameters, body: parser.expression(), line }
    parser.expectKind('end')
    this.checkNewFunction(name)
    this.sheet.functions.set(made.name, made)
    return { kind: 'function', function: made }
  }

  private parameters (parser: Parser): string[] {
    const names = parser.list(() => parser.plainName())
    names.forEach((name, at) => {
      if (names.findIndex(({ text }) => text === name.text) === at) return
      throw new LineFault(`parameter '${name.text}' is there twice`, name.column)
    })
    return names.map(({ text }) => text)
  }

  private checkNewFunction (name: Token): void {
    if (LIBRARY.has(name.text)) throw new LineFault(`'${name.text}' is a built-in function`, name.column)
    const earlier = this.sheet.functions.get(name.text)
    if (earlier === undefined) return
    throw new LineFault(`function '${name.text}' is already defined in line ${earlier.line}`, name.column)
  }

  private openTable (parser: Parser, line: number): Content {
    parser.advance()
    const name = parser.plainName()
    parser.expectKind('end')
    const table = new Table(name.text, line, name.column)
    this.table = table
    this.checkNew(name)
    this.sheet.entries.set(table.name, table)
    return { kind: 'table', table }
  }

  private tableLine (table: Table, parser: Parser): Content {
    if (parser.isOnly('end')) return this.closeTable(table)
    if (table.columns === undefined) return this.columns(table, parser)
    const { column } = parser.current
    const entries = parser.separated('|', () => parser.expression())
    parser.expectKind('end')
    const expected = table.given().length
    if (table.columns.length > 0 && entries.length !== expected) {
      throw new LineFault(`expected ${expected} entries, got ${entries.length}`, column)
    }
    table.rows.push(entries)
    return { kind: 'row', entries }
  }

  private closeTable (table: Table): Content {
    this.table = undefined
    if (table.columns === undefined) this.tableFault(table, `table '${table.name}' has no columns`)
    return { kind: 'end' }
  }

  private columns (table: Table, parser: Parser): Content {
    table.columns = []
    const names = new Set<string>()
    const columns = parser.separated('|', () => {
      const name = parser.plainName()
      if (names.has(name.text)) throw new LineFault(`column '${name.text}' is there twice`, name.column)
      names.add(name.text)
      return new Column(table, name.text, parser.accept('=') ? parser.expression() : undefined)
    })
    parser.expectKind('end')
    table.columns = columns
    return { kind: 'columns', columns }
  }
}
