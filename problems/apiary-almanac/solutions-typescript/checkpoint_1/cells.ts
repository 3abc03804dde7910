// Cells of tables.

import type { Column, Side } from './model'
import { isNumber, shown, type Value } from './values'

/** What a table shows in one place. */
export interface Cell { text: string, isNumber: boolean }

export function textCell (text: string): Cell {
  return { text, isNumber: false }
}

export function valueCell (value: Value): Cell {
  return { text: shown(value), isNumber: isNumber(value) }
}

/** The side that the column gives, and otherwise right if all values are numbers. */
export function sideOf (column: Column, values: Value[]): Side {
  const known = values.filter(value => value !== null)
  return column.side ?? (known.length > 0 && known.every(isNumber) ? 'right' : 'left')
}
