// Firings: what is loaded, how long they take, and how they end.

import { conflict } from './errors'
import type { Kiln } from './kilns'
import type { Piece } from './pieces'
import { find, firingsOf, piecesOf, type Studio } from './studio'

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

export interface Order { kiln: string, heat: number, hold: number }

/** Fires a kiln at once with all pieces that suit and fit. */
export function fire (studio: Studio, order: Order): Firing {
  const kiln = find(studio.kilns, order.kiln, 'kiln')
  if (order.heat > kiln.max_heat) throw conflict('too-hot', { max_heat: kiln.max_heat })
  const running = firingsOf(studio, kiln).find(({ state }) => state === 'firing')
  if (running !== undefined) throw conflict('kiln-busy', { until: running.ends })
  const load = firstFit(studio, order.heat, kiln.room)
  if (load.length === 0) throw conflict('nothing-to-fire')
  const firing = {
    id: `F${studio.firings.size + 1}`,
    ...order,
    starts: studio.now,
    ends: studio.now + minutesOfRise(kiln, order.heat) + order.hold,
    state: 'firing',
    pieces: load.map(({ id }) => id),
    used: load.reduce((sum, { size }) => sum + size, 0)
  }
  studio.firings.set(firing.id, firing)
  for (const piece of load) Object.assign(piece, { state: 'firing', firing: firing.id })
  return firing
}

function firstFit (studio: Studio, heat: number, room: number): Piece[] {
  let left = room
  return [...studio.pieces.values()].filter(piece => {
    const isLoaded = piece.state === 'waiting' && suits(piece, heat) && piece.size <= left
    if (isLoaded) left -= piece.size
    return isLoaded
  })
}

function suits (piece: Piece, heat: number): boolean {
  return piece.heat <= heat && heat <= piece.heat + HEAT_BAND
}

function minutesOfRise (kiln: Kiln, heat: number): number {
  return Math.ceil((heat - ROOM_HEAT) / kiln.rate)
}

export function finish (studio: Studio, firing: Firing): void {
  firing.state = 'done'
  for (const piece of piecesOf(studio, firing)) piece.state = 'fired'
}
