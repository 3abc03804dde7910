// What a section needs as a whole.

import { Fault } from './faults'
import type { Column, Note, RowField, Section, Sort, Total } from './model'

export function checkSection (section: Section): void {
  const place = section.place === undefined ? '' : `${section.place}: `
  if (section.kind === undefined) throw new Fault(`${place}no from line`)
  if (section.columns.length === 0) throw new Fault(`${place}no column line`)
  section.rows.forEach(row => checkRow(section, row))
  section.columns.forEach(column => checkColumn(section, column))
  section.sorts.forEach(sort => checkSort(section, sort))
  section.totals.forEach(total => checkTotal(section, total))
  section.notes.forEach(note => checkNote(section, note))
}

function checkRow (section: Section, row: RowField): void {
  if (!row.isFilled) return
  if (row !== section.rows[section.rows.length - 1]) throw new Fault(`${row.place}: only the last row can be filled`)
  if (!section.periods.has(row.field)) throw new Fault(`${row.place}: ${row.field} is no period`)
}

function checkColumn (section: Section, { place, field, statistic }: Column): void {
  const hasRows = section.rows.length > 0
  if (statistic !== undefined && !hasRows) throw new Fault(`${place}: no row line`)
  if (statistic === undefined && hasRows && !section.keyFields().includes(field)) {
    throw new Fault(`${place}: ${field} needs a statistic`)
  }
}

function checkSort (section: Section, { place }: Sort): void {
  if (section.rows.length > 0) throw new Fault(`${place}: no sort with row lines`)
}

function checkTotal (section: Section, total: Total): void {
  if (total.field === section.columns[0].field) throw new Fault(`${total.place}: no total in the first column`)
  if (section.columns.some(column => hasTotal(column, total))) return
  const statistic = section.rows.length > 0 ? ` ${total.statistic}` : ''
  throw new Fault(`${total.place}: no column ${total.field}${statistic}`)
}

/** Whether a total appears below a column. */
export function hasTotal ({ field, course, statistic }: Column, total: Total): boolean {
  return field === total.field && course === undefined && (statistic ?? total.statistic) === total.statistic
}

function checkNote (section: Section, { place, field }: Note): void {
  if (section.columns.every(column => column.field !== field)) throw new Fault(`${place}: no column ${field}`)
}
