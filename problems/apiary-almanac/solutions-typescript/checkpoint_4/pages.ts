// Pages: which items of a section are together, and what is around them.

import type { Section } from './model'
import { markedCells, noteLines, numberNotes, type NoteNumbers } from './notes'
import { totalCells, type Item, type Outline } from './outline'
import { headingCells, RULE, type TableLine } from './table'
import type { Fields } from './values'

/** The least number of lines of the bottom: an empty line, and the number of the page. */
export const BOTTOM_LINES = 2

/** Some items of a section, and the records of its pages before. */
export interface Page { outline: Outline, items: Item[], isFirst: boolean, isLast: boolean, before: Fields[] }

export function onlyPage (outline: Outline): Page {
  return { outline, items: outline.items, isFirst: true, isLast: true, before: [] }
}

/** The pages of a section, each with as many pieces as fit. */
export function pagesOf (length: number, title: string | undefined, outline: Outline): Page[] {
  let page = { ...onlyPage(outline), items: [] as Item[] }
  const pages = [page]
  const pieces = piecesOf(outline.items)
  pieces.forEach((piece, index) => {
    const isLast = index === pieces.length - 1
    const longer = { ...page, items: [...page.items, ...piece], isLast }
    if (page.items.length > 0 && pageLines(title, longer).length > length - BOTTOM_LINES) {
      page.isLast = false
      page = { outline, items: piece, isFirst: false, isLast, before: recordsUpTo(page) }
      pages.push(page)
    } else {
      Object.assign(page, longer)
    }
  })
  return pages
}

/** Items that stay together: a row after its headings, or totals. */
function piecesOf (items: Item[]): Item[][] {
  const pieces: Item[][] = [[]]
  for (const item of items) {
    pieces[pieces.length - 1].push(item)
    if (item.kind !== 'group') pieces.push([])
  }
  return pieces.slice(0, -1)
}

/** All records of the section up to the end of a page. */
function recordsUpTo ({ before, items }: Page): Fields[] {
  return [...before, ...items.flatMap(item => item.kind === 'row' ? item.entry.records : [])]
}

export function titleLines (title?: string): string[] {
  return title === undefined ? [] : [title, '']
}

/** The lines of a page above its bottom. */
export function pageLines (title: string | undefined, page: Page): TableLine[] {
  const { outline: { section }, items, isFirst, isLast, before } = page
  const numbers = numberNotes(items)
  return [
    ...titleLines(title),
    ...sectionTitle(section, isFirst),
    headingCells(section.columns),
    RULE,
    ...isFirst ? [] : carried(section, before, 'brought forward'),
    ...bodyLines(items, numbers),
    ...isLast ? [] : carried(section, recordsUpTo(page), 'carried forward'),
    ...numbers.size > 0 ? ['', ...noteLines(numbers)] : []
  ]
}

function sectionTitle ({ title }: Section, isFirst: boolean): string[] {
  return title === undefined ? [] : [`== ${title}${isFirst ? '' : ' (continued)'} ==`, '']
}

/** The line with the sums of records, if the section has sums. */
function carried (section: Section, records: Fields[], label: string): TableLine[] {
  const hasSums = section.totals.some(({ statistic }) => statistic === 'sum')
  return hasSums ? [totalCells(section, records, label, 'sum')] : []
}

function bodyLines (items: Item[], numbers: NoteNumbers): TableLine[] {
  if (items.length === 0) return ['no records']
  return items.flatMap((item, index) => itemLines(item, numbers, items[index - 1]))
}

function itemLines (item: Item, numbers: NoteNumbers, before?: Item): TableLine[] {
  switch (item.kind) {
    case 'group': {
      const gap = before === undefined || before.kind === 'group' ? [] : ['']
      return [...gap, '  '.repeat(item.level) + item.text]
    }
    case 'row': return [markedCells(item.cells, numbers)]
    case 'totals': return [RULE, ...item.rows]
  }
}
