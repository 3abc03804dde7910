// What a section needs as a whole.

import { Fault } from './faults'
import type { Section, Total } from './model'

export function checkSection (section: Section): void {
  const place = section.place === undefined ? '' : `${section.place}: `
  if (section.kind === undefined) throw new Fault(`${place}no from line`)
  if (section.columns.length === 0) throw new Fault(`${place}no column line`)
  section.totals.forEach(total => checkTotal(section, total))
}

function checkTotal (section: Section, total: Total): void {
  if (total.field === section.columns[0].field) throw new Fault(`${total.place}: no total in the first column`)
  if (section.columns.every(({ field }) => field !== total.field)) {
    throw new Fault(`${total.place}: no column ${total.field}`)
  }
}
