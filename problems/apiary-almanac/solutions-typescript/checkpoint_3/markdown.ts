// A report as Markdown.

import type { Cell } from './cells'
import type { Report } from './model'
import type { Item, Outline } from './outline'
import { headingCells } from './table'

const RULES = { left: '---', right: '---:' }

export function markdownLines ({ title }: Report, outlines: Outline[]): string[] {
  const titles = title === undefined ? [] : [`# ${escaped(title)}`]
  const blocks = [...titles, ...outlines.flatMap(sectionBlocks)]
  return blocks.join('\n\n').split('\n')
}

function sectionBlocks (outline: Outline): string[] {
  const { section: { title }, items } = outline
  const titles = title === undefined ? [] : [`## ${escaped(title)}`]
  if (items.length === 0) return [...titles, 'no records']
  return [...titles, ...parts(items).map(part => partBlock(outline, part))]
}

/** Divides items at headings, each of which is a part of its own. */
function parts (items: Item[]): Item[][] {
  const found: Item[][] = []
  items.forEach((item, index) => {
    const begins = index === 0 || item.kind === 'group' || items[index - 1].kind === 'group'
    if (begins) found.push([])
    found[found.length - 1].push(item)
  })
  return found
}

function partBlock ({ section, sides }: Outline, items: Item[]): string {
  const [first] = items
  if (first.kind === 'group') return `${'#'.repeat(first.level + 3)} ${escaped(first.text)}`
  const headings = tableLine(escapedCells(headingCells(section.columns)))
  const rules = tableLine(sides.map(side => RULES[side]))
  return [headings, rules, ...items.flatMap(itemLines)].join('\n')
}

function itemLines (item: Item): string[] {
  switch (item.kind) {
    case 'group': return []
    case 'row': return [tableLine(escapedCells(item.cells))]
    case 'totals': return item.rows.map(totalsLine)
  }
}

function totalsLine (cells: Cell[]): string {
  const [label, ...rest] = escapedCells(cells)
  return tableLine([`**${label}**`, ...rest])
}

function tableLine (texts: string[]): string {
  return `| ${texts.join(' | ')} |`
}

function escapedCells (cells: Cell[]): string[] {
  return cells.map(({ text }) => escaped(text))
}

function escaped (text: string): string {
  return text.replaceAll('|', '\\|')
}
