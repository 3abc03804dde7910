// Footnotes: texts that cells refer to by numbers.

import { marked, type Cell } from './cells'
import type { Item } from './outline'

/** The numbers of texts, in the order in which cells refer to them. */
export type NoteNumbers = Map<string, number>

export function numberNotes (items: Item[]): NoteNumbers {
  const texts = items.flatMap(item => item.kind === 'row' ? item.cells.flatMap(({ notes }) => notes) : [])
  return new Map([...new Set(texts)].map((text, index) => [text, index + 1]))
}

export function markedCells (cells: Cell[], numbers: NoteNumbers): Cell[] {
  return cells.map(cell => marked(cell, numbers))
}

export function noteLines (numbers: NoteNumbers): string[] {
  return [...numbers].map(([text, number]) => `[${number}] ${text}`)
}
