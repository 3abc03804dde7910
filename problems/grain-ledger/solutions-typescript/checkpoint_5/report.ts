// Values as they are printed, each with its name.

import { type Evaluator } from './evaluator'
import { type Cell, cellsOf, Column, Table } from './model'
import { ColumnValue, type Value } from './values'

export interface NamedValue {
  name: string
  value: Value
}

/** The values of a definition, a column or a table, row by row. */
export function namedValues (evaluator: Evaluator, entry: Cell | Table): NamedValue[] {
  if (!(entry instanceof Table || entry instanceof Column)) {
    return [{ name: entry.label, value: evaluator.valueOf(entry) as Value }]
  }
  const table = entry instanceof Table ? entry : entry.table
  return table.rows.flatMap((row, at) => cellsOf(entry).map(column => {
    const value = evaluator.valueOf(column)
    return {
      name: `${table.label}[${at + 1}].${column.name}`,
      value: value instanceof ColumnValue ? value.entries[at] : value
    }
  }))
}
