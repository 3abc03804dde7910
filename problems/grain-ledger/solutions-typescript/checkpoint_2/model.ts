// What a file describes.

import { type Expression } from './nodes'

/** What has a value: a definition, or a column of a table. */
export type Cell = Definition | Column

export class Definition {
  /** `line` is the one in the file, from 1. */
  constructor (readonly name: string, readonly expression: Expression, readonly line: number) {}

  get label (): string {
    return this.name
  }
}

export class Column {
  /** Without an expression the column is given: its entries stand in the rows. */
  constructor (readonly table: Table, readonly name: string, readonly expression?: Expression) {}

  get label (): string {
    return `${this.table.name}.${this.name}`
  }

  /** The entries of a given column, from top to bottom. */
  entries (): Expression[] {
    const place = this.table.given().indexOf(this)
    return this.table.rows.map(row => row[place])
  }
}

export class Table {
  /** Undefined until the line that names them; empty if that line has a fault. */
  columns: Column[] | undefined
  /** The entries of the given columns. */
  readonly rows: Expression[][] = []

  constructor (readonly name: string, readonly line: number, readonly position: number) {}

  given (): Column[] {
    return (this.columns ?? []).filter(column => column.expression === undefined)
  }

  column (name: string): Column | undefined {
    return this.columns?.find(column => column.name === name)
  }
}

/** What a line holds, besides a comment. */
export type Content =
  | { kind: 'definition', definition: Definition }
  | { kind: 'table', table: Table }
  | { kind: 'columns', columns: Column[] }
  | { kind: 'row', entries: Expression[] }
  | { kind: 'end' }

export interface Line {
  content?: Content
  /** From its `#` on. */
  comment?: string
  inTable: boolean
}

export class Sheet {
  /** By their names, in the order of the file. */
  readonly entries = new Map<string, Definition | Table>()
  readonly lines: Line[] = []

  /** What a name means, perhaps one with points. */
  find (name: string): Cell | Table | undefined {
    const [first, ...rest] = name.split('.')
    const entry = this.entries.get(first)
    if (rest.length === 0) return entry
    return rest.length === 1 && entry instanceof Table ? entry.column(rest[0]) : undefined
  }
}

export const cellsOf = (entry: Cell | Table): Cell[] => entry instanceof Table ? entry.columns ?? [] : [entry]
