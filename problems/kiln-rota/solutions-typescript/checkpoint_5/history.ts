// The history: everything that has happened.

import type { Studio } from './studio'

export interface HistoryEntry {
  seq: number
  at: number
  what: string
  id: string
  firing?: string
  kiln?: string
  starts?: number
  number?: number
}

type Details = Pick<HistoryEntry, 'firing' | 'kiln' | 'starts' | 'number'>

/** Adds what has just happened to a thing. */
export function note (studio: Studio, what: string, { id }: { id: string }, details: Details = {}): void {
  studio.history.push({ seq: studio.history.length + 1, at: studio.now, what, id, ...details })
}

/** The entries after a number, of one thing if an id is given. */
export function entriesAfter (studio: Studio, number: number, id?: string): HistoryEntry[] {
  return studio.history.slice(number).filter(entry => id === undefined || entry.id === id)
}
