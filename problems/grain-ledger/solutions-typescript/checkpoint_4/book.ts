// A main sheet with all the sheets that it uses, directly or through others.

import { Alias, type Cell, cellsOf, type Sheet } from './model'

export class Book {
  /** The main sheet first, then by how the main sheet reaches them. */
  readonly sheets: Sheet[]

  constructor (readonly main: Sheet) {
    const met = new Set([main])
    for (const sheet of met) {
      for (const { name, sheet: other } of aliasesOf(sheet)) {
        if (met.has(other)) continue
        other.prefix = `${sheet.prefix}${name}.`
        met.add(other)
      }
    }
    this.sheets = [...met]
  }

  cells (): Cell[] {
    return this.sheets.flatMap(sheet => sheet.valued()).flatMap(cellsOf)
  }
}

const aliasesOf = (sheet: Sheet): Array<{ name: string, sheet: Sheet }> => (
  [...sheet.entries.values()].flatMap(entry => (
    entry instanceof Alias && entry.sheet !== undefined ? [{ name: entry.name, sheet: entry.sheet }] : []
  ))
)
