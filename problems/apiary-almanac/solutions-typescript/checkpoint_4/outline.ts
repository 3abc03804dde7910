// A section as a list of items, before it is written.

import { sideOf, textCell, valueCell, type Cell } from './cells'
import { hasTotal } from './checks'
import { holds } from './choosing'
import { entriesOf, entryRuns, type Entry } from './entries'
import { STATISTICS, type Column, type Section, type Side, type Statistic } from './model'
import { statisticOf } from './statistics'
import { shown, valueOf, type Fields } from './values'

export type Item =
  | { kind: 'group', level: number, text: string }
  | { kind: 'row', cells: Cell[], entry: Entry }
  | { kind: 'totals', rows: Cell[][] }

/** A section with its items, and the side of each of its columns. */
export interface Outline { section: Section, sides: Side[], items: Item[] }

export function outlineOf (section: Section, records: Fields[]): Outline {
  const entries = entriesOf(section, records)
  const sides = section.columns.map((column, index) => sideOf(column, entries.map(({ values }) => values[index])))
  const items = itemsOf(section, entries, 0)
  if (entries.length > 0) items.push(...totalsOf(section, records, 'all'))
  return { section, sides, items }
}

/** The items of rows that are equal in the groups outside of a level. */
function itemsOf (section: Section, entries: Entry[], level: number): Item[] {
  if (level === section.groups.length) {
    return entries.map(entry => ({ kind: 'row', cells: rowCells(section, entry), entry }))
  }
  const field = section.groups[level]
  return entryRuns(entries, [field]).flatMap(members => {
    const value = shown(valueOf(members[0].fields, field))
    return [
      { kind: 'group', level, text: `${field}: ${value}` },
      ...itemsOf(section, members, level + 1),
      ...totalsOf(section, members.flatMap(({ records }) => records), value)
    ]
  })
}

function rowCells (section: Section, entry: Entry): Cell[] {
  return section.columns.map((column, index) => ({
    ...valueCell(column, entry.values[index], column.statistic === 'count'),
    notes: notesOf(section, column, entry)
  }))
}

/** The texts of the notes of a cell, each once. */
function notesOf (section: Section, { field }: Column, { records }: Entry): string[] {
  const notes = section.notes.filter(note =>
    note.field === field && records.some(record => holds(note.condition, record)))
  return [...new Set(notes.map(({ text }) => text))]
}

/** One item with the totals of records, or none if the section has no totals. */
function totalsOf (section: Section, records: Fields[], label: string): Item[] {
  const rows = STATISTICS
    .filter(name => section.totals.some(({ statistic }) => statistic === name))
    .map(name => totalCells(section, records, `${label} ${name}`, name))
  return rows.length > 0 ? [{ kind: 'totals', rows }] : []
}

export function totalCells (section: Section, records: Fields[], label: string, name: Statistic): Cell[] {
  const [, ...columns] = section.columns
  return [textCell(label), ...columns.map(column => totalCell(section, records, column, name))]
}

function totalCell (section: Section, records: Fields[], column: Column, name: Statistic): Cell {
  const isShown = section.totals.some(total => total.statistic === name && hasTotal(column, total))
  if (!isShown) return textCell('')
  const value = statisticOf(name, records.map(record => valueOf(record, column.field)))
  return valueCell(column, value, name === 'count')
}
