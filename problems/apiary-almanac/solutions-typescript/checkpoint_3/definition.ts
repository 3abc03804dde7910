// Reads definitions of reports.

import { checkSection } from './checks'
import { readColumn } from './columns'
import { readExpression } from './expressions'
import { at, Fault } from './faults'
import { readLines } from './files'
import { Fraction } from './fractions'
import { Report, Section, STATISTICS, type Condition, type Sign } from './model'
import { periodOf, SIZES } from './periods'
import { valueOf } from './values'
import { Words } from './words'

const MAX_GROUPS = 3
const MAX_ROWS = 3
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
  if (report.sections.length > 1) report.sections.shift()
  report.sections.forEach(checkSection)
  return report
}

function readLine (report: Report, { place, text }: Line): void {
  const words = new Words(text)
  const word = words.take()
  const readForReport = REPORT_READERS.get(word)
  const readForSection = SECTION_READERS.get(word)
  if (readForReport !== undefined) readForReport(report, words, place)
  else if (readForSection !== undefined) readForSection(report.section(), words, place)
  else throw new Fault(`unknown word ${word}`)
  words.end()
}

/** Lines that belong to the whole report, or need to know it. */
const REPORT_READERS = new Map<string, (report: Report, words: Words, place: string) => void>([
  ['title', readTitle],
  ['unit', readUnit],
  ['section', readSection],
  ['column', readColumn]
])

/** Lines that belong to a section. */
const SECTION_READERS = new Map<string, (section: Section, words: Words, place: string) => void>([
  ['from', readFrom],
  ['join', readJoin],
  ['compute', readCompute],
  ['period', readPeriod],
  ['where', readWhere],
  ['sort', readSort],
  ['group', readGroup],
  ['row', readRow],
  ['total', readTotal]
])

function readTitle (report: Report, words: Words): void {
  if (report.title !== undefined) throw new Fault('title given twice')
  report.title = words.text()
}

function readUnit ({ units }: Report, words: Words): void {
  const name = words.name()
  if (units.has(name)) throw new Fault(`unit ${name} given twice`)
  units.set(name, words.more() ? readUnitValue(units, words) : new Fraction(1n))
}

function readUnitValue (units: Map<string, Fraction>, words: Words): Fraction {
  words.oneOf('=')
  const number = words.number()
  if (number.sign <= 0) throw words.unexpected()
  const name = words.name()
  const other = units.get(name)
  if (other === undefined) throw new Fault(`no unit ${name}`)
  return number.times(other)
}

function readSection (report: Report, words: Words, place: string): void {
  const title = words.text()
  const [shared] = report.sections
  if (shared.isBegun()) throw new Fault('section comes too late')
  report.sections.push(new Section(place, title, shared))
}

function readFrom (section: Section, words: Words): void {
  if (section.kind !== undefined) throw new Fault('from given twice')
  section.kind = words.name()
}

function readJoin (section: Section, words: Words, place: string): void {
  const kind = words.name()
  let name = kind
  if (words.oneOf('as', 'by') === 'as') {
    name = words.name()
    words.oneOf('by')
  }
  if (section.joins.some(join => join.name === name)) throw new Fault(`join ${name} given twice`)
  const theirs = words.name()
  words.oneOf('=')
  section.joins.push({ place, name, kind, theirs, ours: words.field() })
}

/** The name of a computed field, with the sign after it. */
function readComputedName (section: Section, words: Words): string {
  const name = words.name()
  if (section.computed.has(name)) throw new Fault(`${name} is computed twice`)
  words.oneOf('=')
  return name
}

function readCompute (section: Section, words: Words): void {
  const name = readComputedName(section, words)
  section.computed.set(name, readExpression(words))
}

function readPeriod (section: Section, words: Words): void {
  const name = readComputedName(section, words)
  const size = SIZES[words.oneOf(...Object.keys(SIZES))]
  words.oneOf('of')
  const field = words.field()
  section.computed.set(name, fields => periodOf(size, valueOf(fields, field)))
  section.periods.set(name, size)
}

function readWhere (section: Section, words: Words): void {
  section.conditions.push(readCondition(words))
}

function readCondition (words: Words): Condition {
  const left = readExpression(words)
  const sign = words.oneOf(...SIGNS, 'is')
  if (sign === 'is') return { left, isMissing: words.oneOf('missing', 'known') === 'missing' }
  return { left, sign, right: readExpression(words) }
}

function readSort (section: Section, words: Words, place: string): void {
  section.sorts.push({ place, field: words.field(), isFalling: words.more() && words.oneOf('down') === 'down' })
}

function readGroup (section: Section, words: Words): void {
  if (section.groups.length === MAX_GROUPS) throw new Fault(`more than ${MAX_GROUPS} groups`)
  section.groups.push(words.field())
}

function readRow (section: Section, words: Words, place: string): void {
  if (section.rows.length === MAX_ROWS) throw new Fault(`more than ${MAX_ROWS} rows`)
  section.rows.push({ place, field: words.field(), isFilled: words.more() && words.oneOf('filled') === 'filled' })
}

function readTotal (section: Section, words: Words, place: string): void {
  section.totals.push({ place, field: words.field(), statistic: words.oneOf(...STATISTICS) })
}
