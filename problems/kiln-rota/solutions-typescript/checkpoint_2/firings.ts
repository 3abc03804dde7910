// Firings: how they are ordered, what is loaded, and how they end.

import { conflict } from './errors'
import type { Kiln } from './kilns'
import { inLoadOrder, type Piece } from './pieces'
import { refuseImpossible } from './planning'
import { find, piecesOf, type Studio } from './studio'

const ROOM_HEAT = 20
const HEAT_BAND = 40

export interface Firing {
  id: string
  kiln: string
  heat: number
  hold: number
  starts: number
  ends: number
  state: string
  pieces: string[]
  used: number
}

export interface Order { kiln: string, heat: number, hold: number, start?: number }

/** Fires a kiln now, or plans to. */
export function fire (studio: Studio, order: Order): Firing {
  const firing = draft(studio, order)
  refuseImpossible(studio, firing)
  const load = firing.starts === studio.now ? firstFit(studio, firing) : undefined
  if (load?.length === 0) throw conflict('nothing-to-fire')
  studio.firings.set(firing.id, firing)
  if (load !== undefined) light(firing, load)
  return firing
}

/** A firing that is not planned yet. */
function draft (studio: Studio, order: Order): Firing {
  const kiln = find(studio.kilns, order.kiln, 'kiln')
  const { heat, hold, start = studio.now } = order
  return {
    id: `F${studio.firings.size + 1}`,
    kiln: kiln.id,
    heat,
    hold,
    starts: start,
    ends: start + minutesOfRise(kiln, heat) + hold,
    state: 'planned',
    pieces: [],
    used: 0
  }
}

/** For a planned firing whose minute has come. */
export function start (studio: Studio, firing: Firing): void {
  const load = firstFit(studio, firing)
  if (load.length > 0) light(firing, load)
  else firing.state = 'empty'
}

function light (firing: Firing, load: Piece[]): void {
  firing.state = 'firing'
  firing.pieces = load.map(({ id }) => id)
  firing.used = load.reduce((sum, { size }) => sum + size, 0)
  for (const piece of load) Object.assign(piece, { state: 'firing', firing: firing.id })
}

function firstFit (studio: Studio, firing: Firing): Piece[] {
  let left = studio.kilns.get(firing.kiln)!.room
  return inLoadOrder(studio).filter(piece => {
    const isLoaded = piece.state === 'waiting' && suits(piece, firing) && piece.size <= left
    if (isLoaded) left -= piece.size
    return isLoaded
  })
}

function suits (piece: Piece, { heat, ends }: Firing): boolean {
  if (piece.due !== undefined && ends > piece.due) return false
  return piece.heat <= heat && heat <= piece.heat + HEAT_BAND
}

function minutesOfRise (kiln: Kiln, heat: number): number {
  return Math.ceil((heat - ROOM_HEAT) / kiln.rate)
}

export function finish (studio: Studio, firing: Firing): void {
  firing.state = 'done'
  for (const piece of piecesOf(studio, firing)) piece.state = 'fired'
}

export function cancelFiring (studio: Studio, firing: Firing): void {
  if (firing.state === 'planned') {
    firing.state = 'cancelled'
    return
  }
  if (firing.state !== 'firing') throw conflict('firing-over')
  Object.assign(firing, { state: 'stopped', ends: studio.now })
  for (const piece of piecesOf(studio, firing)) Object.assign(piece, { state: 'waiting', firing: undefined })
}
