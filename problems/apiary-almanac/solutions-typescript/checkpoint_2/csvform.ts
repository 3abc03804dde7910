// A report as CSV: rows only, with the fields of their groups.

import { valueCell } from './cells'
import { csvLine } from './csvlines'
import { headingOf, type Column, type Report, type Section } from './model'
import type { Outline } from './outline'
import { valueOf } from './values'

export function csvLines (_: Report, outlines: Outline[]): string[] {
  return outlines.flatMap((outline, index) => index > 0 ? ['', ...sectionLines(outline)] : sectionLines(outline))
}

function sectionLines ({ section, items }: Outline): string[] {
  const leading = hiddenGroups(section)
  const lines = [csvLine([...leading, ...section.columns].map(headingOf))]
  for (const item of items) {
    if (item.kind !== 'row') continue
    const groups = leading.map(column => valueCell(column, valueOf(item.record, column.field)))
    lines.push(csvLine([...groups, ...item.cells].map(({ exact }) => exact)))
  }
  return lines
}

/** Columns for the groups that no column shows. */
function hiddenGroups ({ groups, columns }: Section): Column[] {
  const hidden = groups.filter(group => columns.every(({ field }) => field !== group))
  return hidden.map(field => ({ field }))
}
