// A section as a list of items, before it is written.

import { sideOf, textCell, valueCell, type Cell } from './cells'
import { STATISTICS, type Column, type Section, type Side, type Statistic } from './model'
import { statisticOf } from './statistics'
import { keyOf, runs, shown, valueOf, type Fields } from './values'

export type Item =
  | { kind: 'group', text: string }
  | { kind: 'row', cells: Cell[] }
  | { kind: 'totals', rows: Cell[][] }

/** A section with its items, and the side of each of its columns. */
export interface Outline { section: Section, sides: Side[], items: Item[] }

export function outlineOf (section: Section, records: Fields[]): Outline {
  const sides = section.columns.map(column => sideOf(column, records.map(record => valueOf(record, column.field))))
  const items = section.groups.length > 0 ? groupItems(section, records) : rowsOf(section, records)
  if (records.length > 0) items.push(...totalsOf(section, records, 'all'))
  return { section, sides, items }
}

function rowsOf (section: Section, records: Fields[]): Item[] {
  return records.map(record => ({
    kind: 'row',
    cells: section.columns.map(({ field }) => valueCell(valueOf(record, field)))
  }))
}

function groupItems (section: Section, records: Fields[]): Item[] {
  const [field] = section.groups
  return runs(records, record => keyOf(valueOf(record, field))).flatMap(members => {
    const value = shown(valueOf(members[0], field))
    return [
      { kind: 'group', text: `${field}: ${value}` },
      ...rowsOf(section, members),
      ...totalsOf(section, members, value)
    ]
  })
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
  return valueCell(value)
}
