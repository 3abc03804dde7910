// Reads columns with their options.

import { Fault } from './faults'
import type { Column, Report } from './model'
import { MAX_DECIMALS } from './values'
import type { Words } from './words'

const MIN_WIDTH = 3
const MAX_WIDTH = 40

export function readColumn (report: Report, words: Words): void {
  const column: Column = { field: words.field() }
  while (words.more()) readOption(column, report, words)
  report.section().columns.push(column)
}

/** Each reads what follows the first word of an option. */
const OPTIONS = new Map<string, (column: Column, report: Report, words: Words) => void>([
  ['as', (column, _, words) => { column.title = words.text() }],
  ['width', (column, _, words) => { column.width = words.whole('width', MIN_WIDTH, MAX_WIDTH) }],
  ['left', column => { column.side = 'left' }],
  ['right', column => { column.side = 'right' }],
  ['decimals', (column, _, words) => { column.decimals = words.whole('decimals', 0, MAX_DECIMALS) }],
  ['in', readUnit],
  ['or', (column, _, words) => { column.instead = words.text() }]
])

function readOption (column: Column, report: Report, words: Words): void {
  const read = OPTIONS.get(words.take())
  if (read === undefined) throw words.unexpected()
  read(column, report, words)
}

function readUnit (column: Column, { units }: Report, words: Words): void {
  column.unit = words.field()
  column.factor = units.get(column.unit)
  if (column.factor === undefined) throw new Fault(`no unit ${column.unit}`)
}
