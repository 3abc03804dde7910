// Tables of text: columns with widths and sides.

import { textCell, type Cell } from './cells'
import { headingOf, type Column, type Side } from './model'
import type { Outline } from './outline'

const WIDEST_BY_ITSELF = 30
const CUT = '~'
const GAP = '  '

/** A line before the widths of columns are known: a text, cells, or a rule. */
export type TableLine = string | Cell[] | typeof RULE

export const RULE = Symbol('rule')

export function headingCells (columns: Column[]): Cell[] {
  return columns.map(column => textCell(headingOf(column)))
}

/** Writes lines in columns that are as wide as these lines need. */
export function tableWriter ({ section, sides }: Outline, lines: TableLine[]): (line: TableLine) => string {
  const rows = lines.filter((line): line is Cell[] => Array.isArray(line))
  const widths = section.columns.map(({ width }, index) => width ?? widthOf(rows.map(row => row[index])))
  return line => {
    if (typeof line === 'string') return line
    if (line === RULE) return widths.map(width => '-'.repeat(width)).join(GAP)
    const parts = widths.map((width, index) => aligned(fitted(line[index], width), sides[index], width))
    return parts.join(GAP).trimEnd()
  }
}

function lengthOf (text: string): number {
  return [...text].length
}

function widthOf (cells: Cell[]): number {
  return Math.min(WIDEST_BY_ITSELF, Math.max(...cells.map(({ text }) => lengthOf(text))))
}

/** What a cell shows in a width. */
function fitted ({ text, isNumber }: Cell, width: number): string {
  if (lengthOf(text) <= width) return text
  return isNumber ? '#'.repeat(width) : [...text].slice(0, width - 1).join('') + CUT
}

function aligned (text: string, side: Side, width: number): string {
  const space = ' '.repeat(width - lengthOf(text))
  return side === 'right' ? space + text : text + space
}
