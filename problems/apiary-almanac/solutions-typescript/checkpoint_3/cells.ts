// Cells of tables.

import type { Fraction } from './fractions'
import type { Column, Side } from './model'
import { isNumber, MAX_DECIMALS, MISSING_MARK, shown, type Value } from './values'

/** What a table shows in one place, and what is written there for programs. */
export interface Cell {
  text: string
  exact: string
  isNumber: boolean
}

export function textCell (text: string): Cell {
  return { text, exact: '', isNumber: false }
}

/** The cell of a value in a column. A count has neither unit nor decimals. */
export function valueCell (column: Column, value: Value, isCount = false): Cell {
  if (value === null) return textCell(column.instead ?? MISSING_MARK)
  if (!isNumber(value)) return { ...textCell(shown(value)), exact: shown(value) }
  if (isCount) return { ...textCell(shown(value)), exact: shown(value), isNumber: true }
  return numberCell(column, column.factor === undefined ? value : value.dividedBy(column.factor))
}

function numberCell ({ decimals }: Column, number: Fraction): Cell {
  const text = decimals === undefined ? shown(number) : number.fixed(decimals)
  const exact = decimals === undefined ? number.plain(MAX_DECIMALS) : text
  return { ...textCell(text), exact, isNumber: true }
}

/** The side that the column gives, and otherwise right if all values are numbers. */
export function sideOf (column: Column, values: Value[]): Side {
  const known = values.filter(value => value !== null)
  return column.side ?? (known.length > 0 && known.every(isNumber) ? 'right' : 'left')
}
