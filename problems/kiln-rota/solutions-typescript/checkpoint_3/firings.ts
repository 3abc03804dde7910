// Firings: how they are ordered, what is loaded, and how they end.

import { conflict } from './errors'
import { heatAfter } from './heating'
import type { Kiln } from './kilns'
import { endPass, inLoadOrder, waitAgain, type Piece } from './pieces'
import { opening, refuseImpossible, setOpening, setTimes, stagesOf } from './planning'
import { find, piecesOf, type Studio } from './studio'

const HEAT_BAND = 40

/** How a firing heats its kiln: by a programme, or to a heat that it holds. */
export interface Heating { programme?: string, heat: number, hold?: number }

export interface Firing extends Heating {
  id: string
  kiln: string
  starts: number
  ends: number
  opens?: number
  state: string
  pieces: string[]
  used: number
}

export interface Order { kiln: string, heat?: number, hold?: number, programme?: string, start?: number }

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
  const firing = {
    id: `F${studio.firings.size + 1}`,
    kiln: kiln.id,
    ...heatingOf(studio, order),
    starts: order.start ?? studio.now,
    ends: 0,
    state: 'planned',
    pieces: [],
    used: 0
  }
  setTimes(studio, firing)
  return firing
}

export function heatingOf (studio: Studio, { programme, heat = 0, hold }: Order): Heating {
  if (programme === undefined) return { heat, hold }
  return { heat: find(studio.programmes, programme, 'programme').top, programme }
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
    const isLoaded = canLoad(studio, piece, firing) && piece.size <= left
    if (isLoaded) left -= piece.size
    return isLoaded
  })
}

function canLoad (studio: Studio, piece: Piece, firing: Firing): boolean {
  if (piece.state !== 'waiting') return false
  if (piece.due !== undefined && opening(firing) > piece.due) return false
  if (piece.after !== undefined && studio.pieces.get(piece.after)?.state !== 'fired') return false
  return piece.heat <= firing.heat && firing.heat <= piece.heat + HEAT_BAND
}

/** Takes the pieces out of the kiln, with their heat or without it. */
export function open (studio: Studio, firing: Firing): void {
  const isStopped = firing.state === 'stopped'
  if (!isStopped) firing.state = 'done'
  for (const piece of piecesOf(studio, firing)) {
    if (isStopped) waitAgain(piece)
    else endPass(studio, piece)
  }
}

export function cancelFiring (studio: Studio, firing: Firing): void {
  if (firing.state === 'planned') firing.state = 'cancelled'
  else if (firing.state === 'firing') stop(studio, firing)
  else throw conflict('firing-over')
}

function stop (studio: Studio, firing: Firing): void {
  const kiln: Kiln = studio.kilns.get(firing.kiln)!
  const heat = heatAfter(kiln, stagesOf(studio, firing), studio.now - firing.starts)
  Object.assign(firing, { state: 'stopped', ends: studio.now })
  setOpening(kiln, firing, heat)
  if (opening(firing) === studio.now) open(studio, firing)
}
