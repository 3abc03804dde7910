// A report as text.

import type { Report } from './model'
import type { Item, Outline } from './outline'
import { headingCells, RULE, tableWriter, type TableLine } from './table'

export function textLines (report: Report, outlines: Outline[]): string[] {
  const sections = outlines.map(outline => {
    const draft = draftLines(outline)
    return draft.map(tableWriter(outline, draft))
  })
  return [...titleLines(report), ...sections.flatMap((lines, index) => index > 0 ? ['', ...lines] : lines)]
}

function titleLines ({ title }: Report): string[] {
  return title === undefined ? [] : [title, '']
}

function draftLines ({ section, items }: Outline): TableLine[] {
  const title = section.title === undefined ? [] : [`== ${section.title} ==`, '']
  return [...title, headingCells(section.columns), RULE, ...bodyLines(items)]
}

function bodyLines (items: Item[]): TableLine[] {
  if (items.length === 0) return ['no records']
  return items.flatMap((item, index) => itemLines(item, items[index - 1]))
}

function itemLines (item: Item, before?: Item): TableLine[] {
  switch (item.kind) {
    case 'group': {
      const gap = before === undefined || before.kind === 'group' ? [] : ['']
      return [...gap, '  '.repeat(item.level) + item.text]
    }
    case 'row': return [item.cells]
    case 'totals': return [RULE, ...item.rows]
  }
}
