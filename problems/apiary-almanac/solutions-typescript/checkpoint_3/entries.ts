// The rows of a section: one for each record, or one for several records together.

import { followCourses } from './courses'
import type { Column, Section } from './model'
import { Period, periodsOver } from './periods'
import { statisticOf } from './statistics'
import { keyOf, runs, valueOf, type Fields, type Value } from './values'

/** A row: its fields, the records behind it, and a value for each column. */
export interface Entry { fields: Fields, records: Fields[], values: Value[] }

/** The rows of the sorted records of a section. */
export function entriesOf (section: Section, records: Fields[]): Entry[] {
  const entries = section.rows.length > 0
    ? summaries(section, records)
    : records.map(record => entry(record, [record]))
  for (const row of entries) row.values = section.columns.map(column => columnValue(column, row))
  followCourses(section, entries)
  return entries
}

function entry (fields: Fields, records: Fields[]): Entry {
  return { fields, records, values: [] }
}

function columnValue ({ statistic, field }: Column, { fields, records }: Entry): Value {
  if (statistic === undefined) return valueOf(fields, field)
  return statisticOf(statistic, records.map(record => valueOf(record, field)))
}

/** A text that is the same for records with the same values of some fields. */
function fieldsKey (record: Fields, names: string[]): string {
  return names.map(name => keyOf(valueOf(record, name))).join('\n')
}

/** Runs of rows with the same values of some fields. */
export function entryRuns (entries: Entry[], names: string[]): Entry[][] {
  return runs(entries, ({ fields }) => fieldsKey(fields, names))
}

function summaries (section: Section, records: Fields[]): Entry[] {
  const names = section.keyFields()
  const entries = runs(records, record => fieldsKey(record, names))
    .map(members => entry(selected(members[0], names), members))
  return section.rows[section.rows.length - 1].isFilled ? filled(section, entries) : entries
}

function selected (record: Fields, names: string[]): Fields {
  return new Map(names.map(name => [name, valueOf(record, name)]))
}

/** The rows with one for each period from the first to the last of the section. */
function filled (section: Section, entries: Entry[]): Entry[] {
  const names = section.keyFields()
  const name = names.pop()!
  const found = entries.map(({ fields }) => valueOf(fields, name))
    .filter((value): value is Period => value instanceof Period)
  if (found.length === 0) return entries
  const periods = periodsOver(section.periods.get(name)!, found)
  return entryRuns(entries, names).flatMap(run => filledRun(run, name, periods))
}

/** Fills rows that differ only in the period. A row without a period comes last. */
function filledRun (run: Entry[], name: string, periods: Period[]): Entry[] {
  const byPeriod = new Map(run.map(row => [keyOf(valueOf(row.fields, name)), row]))
  const rows = periods.map(period =>
    byPeriod.get(keyOf(period)) ?? entry(new Map([...run[0].fields, [name, period]]), []))
  const undated = byPeriod.get(keyOf(null))
  return undated === undefined ? rows : [...rows, undated]
}
