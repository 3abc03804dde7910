// A section as a list of items, before it is written.

import { sideOf, textCell, valueCell, type Cell } from './cells'
import { STATISTICS, type Column, type Section, type Side, type Statistic } from './model'
import { statisticOf } from './statistics'
import { keyOf, runs, shown, valueOf, type Fields } from './values'

export type Item =
  | { kind: 'group', level: number, text: string }
  | { kind: 'row', cells: Cell[], record: Fields }
  | { kind: 'totals', rows: Cell[][] }

/** A section with its items, and the side of each of its columns. */
export interface Outline { section: Section, sides: Side[], items: Item[] }

export function outlineOf (section: Section, records: Fields[]): Outline {
  const sides = section.columns.map(column => sideOf(column, records.map(record => valueOf(record, column.field))))
  const items = itemsOf(section, records, 0)
  if (records.length > 0) items.push(...totalsOf(section, records, 'all'))
  return { section, sides, items }
}

/** The items of records that are equal in the groups outside of a level. */
function itemsOf (section: Section, records: Fields[], level: number): Item[] {
  if (level === section.groups.length) {
    return records.map(record => ({ kind: 'row', cells: rowCells(section, record), record }))
  }
  const field = section.groups[level]
  return runs(records, record => keyOf(valueOf(record, field))).flatMap(members => {
    const value = shown(valueOf(members[0], field))
    return [
      { kind: 'group', level, text: `${field}: ${value}` },
      ...itemsOf(section, members, level + 1),
      ...totalsOf(section, members, value)
    ]
  })
}

function rowCells (section: Section, record: Fields): Cell[] {
  return section.columns.map(column => valueCell(column, valueOf(record, column.field)))
}

/** One item with the totals of records, or none if the section has no totals. */
function totalsOf (section: Section, records: Fields[], label: string): Item[] {
  const rows = STATISTICS
    .filter(name => section.totals.some(({ statistic }) => statistic === name))
    .map(name => totalCells(section, records, `${label} ${name}`, name))
  return rows.length > 0 ? [{ kind: 'totals', rows }] : []
}

function totalCells (section: Section, records: Fields[], label: string, name: Statistic): Cell[] {
  const [, ...columns] = section.columns
  return [textCell(label), ...columns.map(column => totalCell(section, records, column, name))]
}

function totalCell (section: Section, records: Fields[], column: Column, name: Statistic): Cell {
  const isShown = section.totals.some(total => total.field === column.field && total.statistic === name)
  if (!isShown) return textCell('')
  const value = statisticOf(name, records.map(record => valueOf(record, column.field)))
  return valueCell(column, value, name === 'count')
}
