// What there is in the studio.

import { missing } from './errors'
import type { Firing } from './firings'
import type { HistoryEntry } from './history'
import type { Kiln } from './kilns'
import type { Lease } from './leases'
import type { Piece } from './pieces'
import type { Programme } from './programmes'
import type { Series } from './series'

/** Things are by id, in the order in which they were added. */
export interface Studio {
  now: number
  kilns: Map<string, Kiln>
  programmes: Map<string, Programme>
  pieces: Map<string, Piece>
  firings: Map<string, Firing>
  leases: Map<string, Lease>
  series: Map<string, Series>
  history: HistoryEntry[]
}

export function newStudio (): Studio {
  return {
    now: 0,
    kilns: new Map(),
    programmes: new Map(),
    pieces: new Map(),
    firings: new Map(),
    leases: new Map(),
    series: new Map(),
    history: []
  }
}

/** The thing with an id, which must exist. */
export function find<T> (things: Map<string, T>, id: string, kind: string): T {
  const thing = things.get(id)
  if (thing === undefined) throw missing(kind)
  return thing
}

/** The things whose values are the wanted ones. */
export function matching<T> (things: Iterable<T>, wanted: Record<string, string>): T[] {
  return [...things].filter(thing =>
    Object.entries(wanted).every(([key, value]) => thing[key as keyof T] === value))
}

export function piecesOf (studio: Studio, firing: Firing): Piece[] {
  return firing.pieces.map(id => studio.pieces.get(id)!)
}

export function firingsOf (studio: Studio, kiln: Kiln): Firing[] {
  return [...studio.firings.values()].filter(firing => firing.kiln === kiln.id)
}
