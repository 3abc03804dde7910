// A report as text.

import type { Report } from './model'
import type { Item, Outline } from './outline'
import { headingCells, RULE, tableWriter, type TableLine } from './table'

export function textLines (report: Report, outline: Outline): string[] {
  const draft: TableLine[] = [headingCells(outline.section.columns), RULE, ...bodyLines(outline.items)]
  return [...titleLines(report), ...draft.map(tableWriter(outline, draft))]
}

function titleLines ({ title }: Report): string[] {
  return title === undefined ? [] : [title, '']
}

function bodyLines (items: Item[]): TableLine[] {
  if (items.length === 0) return ['no records']
  return items.flatMap((item, index) => itemLines(item, index === 0))
}

function itemLines (item: Item, isFirst: boolean): TableLine[] {
  switch (item.kind) {
    case 'group': return isFirst ? [item.text] : ['', item.text]
    case 'row': return [item.cells]
    case 'totals': return [RULE, ...item.rows]
  }
}
