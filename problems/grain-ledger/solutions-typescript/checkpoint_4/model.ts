// What a file describes.

import { type Expression } from './nodes'

/** What has a value: a definition, or a column of a table. */
export type Cell = Definition | Column

export class Definition {
  /** `line` is the one in the file, from 1. */
  constructor (
    readonly sheet: Sheet,
    readonly name: string,
    readonly expression: Expression,
    readonly line: number
  ) {}

  /** The name by which the main sheet can reach it. */
  get label (): string {
    return this.sheet.prefix + this.name
  }
}

export class Column {
  /** Without an expression the column is given: its entries stand in the rows. */
  constructor (readonly table: Table, readonly name: string, readonly expression?: Expression) {}

  get sheet (): Sheet {
    return this.table.sheet
  }

  get label (): string {
    return `${this.table.label}.${this.name}`
  }

  /** The entries of a given column, from top to bottom. */
  entries (): Expression[] {
    const place = this.table.given().indexOf(this)
    return this.table.rows.map(row => row[place])
  }
}

/** A function of the sheet. */
export interface SheetFunction {
  sheet: Sheet
  name: string
  parameters: string[]
  body: Expression
  line: number
}

export class Table {
  /** Undefined until the line that names them; empty if that line has a fault. */
  columns: Column[] | undefined
  /** The entries of the given columns. */
  readonly rows: Expression[][] = []

  /** `position` is the column of its name in the line. */
  constructor (
    readonly sheet: Sheet,
    readonly name: string,
    readonly line: number,
    readonly position: number
  ) {}

  get label (): string {
    return this.sheet.prefix + this.name
  }

  given (): Column[] {
    return (this.columns ?? []).filter(column => column.expression === undefined)
  }

  column (name: string): Column | undefined {
    return this.columns?.find(column => column.name === name)
  }
}

/** Another sheet that is used, with the path as it is written, which stands at `column`. */
export class Alias {
  /** Undefined if it could not be loaded. */
  sheet: Sheet | undefined

  constructor (readonly name: string, readonly path: string, readonly line: number, readonly column: number) {}
}

/** What a line holds, besides a comment. */
export type Content =
  | { kind: 'definition', definition: Definition }
  | { kind: 'function', function: SheetFunction }
  | { kind: 'use', alias: Alias }
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
  /** The aliases by which the main sheet reaches it, each with a point behind it. */
  prefix = ''
  /** By their names, in the order of the file. */
  readonly entries = new Map<string, Definition | Table | Alias>()
  readonly functions = new Map<string, SheetFunction>()
  readonly lines: Line[] = []

  /** What has values, in the order of the file. */
  valued (): Array<Definition | Table> {
    return [...this.entries.values()].filter((entry): entry is Definition | Table => !(entry instanceof Alias))
  }

  /** What a name means, perhaps one with points. */
  find (name: string): Cell | Table | undefined {
    const { sheet, rest: [first, ...others] } = this.followed(name)
    const entry = sheet.entries.get(first)
    if (entry === undefined || entry instanceof Alias) return undefined
    if (others.length === 0) return entry
    return others.length === 1 && entry instanceof Table ? entry.column(others[0]) : undefined
  }

  findFunction (name: string): SheetFunction | undefined {
    const { sheet, rest } = this.followed(name)
    return rest.length === 1 ? sheet.functions.get(rest[0]) : undefined
  }

  /** The sheet that the aliases at the beginning of a name lead to, and what follows them. */
  private followed (name: string): { sheet: Sheet, rest: string[] } {
    const rest = name.split('.')
    let sheet: Sheet = this
    while (rest.length > 1) {
      const alias = sheet.entries.get(rest[0])
      if (!(alias instanceof Alias) || alias.sheet === undefined) break
      sheet = alias.sheet
      rest.shift()
    }
    return { sheet, rest }
  }
}

export const cellsOf = (entry: Cell | Table): Cell[] => entry instanceof Table ? entry.columns ?? [] : [entry]
