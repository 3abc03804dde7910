// Reads definitions of reports.

import { checkSection } from './checks'
import { at, Fault } from './faults'
import { readLines } from './files'
import { Report, STATISTICS, type Column, type Sign } from './model'
import { Words } from './words'

const MIN_WIDTH = 3
const MAX_WIDTH = 40
const SIGNS: Sign[] = ['=', '!=', '<', '<=', '>', '>=']

/** A line that is neither empty nor a comment, and its place in messages. */
interface Line { place: string, text: string }

function linesOf (path: string): Line[] {
  return readLines(path)
    .map((text, index) => ({ place: `line ${index + 1}`, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
}

export function readDefinition (path: string): Report {
  const report = new Report()
  for (const line of linesOf(path)) at(line.place, () => readLine(report, line))
  checkSection(report.section)
  return report
}

function readLine (report: Report, { place, text }: Line): void {
  const words = new Words(text)
  const word = words.take()
  const read = READERS.get(word)
  if (read === undefined) throw new Fault(`unknown word ${word}`)
  read(report, words, place)
  words.end()
}

const READERS = new Map<string, (report: Report, words: Words, place: string) => void>([
  ['title', readTitle],
  ['from', readFrom],
  ['column', readColumn],
  ['where', readWhere],
  ['sort', readSort],
  ['group', readGroup],
  ['total', readTotal]
])

function readTitle (report: Report, words: Words): void {
  if (report.title !== undefined) throw new Fault('title given twice')
  report.title = words.text()
}

function readFrom ({ section }: Report, words: Words): void {
  if (section.kind !== undefined) throw new Fault('from given twice')
  section.kind = words.field()
}

function readColumn ({ section }: Report, words: Words): void {
  const column: Column = { field: words.field() }
  while (words.more()) readOption(column, words)
  section.columns.push(column)
}

function readOption (column: Column, words: Words): void {
  const option = words.oneOf('as', 'width', 'left', 'right')
  if (option === 'as') column.title = words.text()
  else if (option === 'width') column.width = words.whole('width', MIN_WIDTH, MAX_WIDTH)
  else column.side = option
}

function readWhere ({ section }: Report, words: Words): void {
  const field = words.field()
  const sign = words.oneOf(...SIGNS, 'is')
  section.conditions.push(sign === 'is'
    ? { field, isMissing: words.oneOf('missing', 'known') === 'missing' }
    : { field, sign, value: words.value() })
}

function readSort ({ section }: Report, words: Words): void {
  section.sorts.push({ field: words.field(), isFalling: words.more() && words.oneOf('down') === 'down' })
}

function readGroup ({ section }: Report, words: Words): void {
  if (section.groups.length > 0) throw new Fault('group given twice')
  section.groups.push(words.field())
}

function readTotal ({ section }: Report, words: Words, place: string): void {
  section.totals.push({ place, field: words.field(), statistic: words.oneOf(...STATISTICS) })
}
