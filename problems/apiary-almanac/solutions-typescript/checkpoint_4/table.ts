// Tables of text: columns with widths and sides.

import { textCell, whole, type Cell } from './cells'
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
  return Math.min(WIDEST_BY_ITSELF, Math.max(...cells.map(cell => lengthOf(whole(cell)))))
}

/** What a cell shows in a width: as much of the mark as possible, then the value. */
function fitted (cell: Cell, width: number): string {
  const room = width - cell.mark.length
  return room > 0 ? fittedValue(cell, room) + cell.mark : cell.mark.slice(0, width)
}

function fittedValue ({ text, isNumber }: Cell, room: number): string {
  if (lengthOf(text) <= room) return text
  return isNumber ? '#'.repeat(room) : [...text].slice(0, room - 1).join('') + CUT
}

function aligned (text: string, side: Side, width: number): string {
  const space = ' '.repeat(width - lengthOf(text))
  return side === 'right' ? space + text : text + space
}
