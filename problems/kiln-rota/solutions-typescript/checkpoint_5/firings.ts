// Firings: how they are ordered, what is loaded, and how they end.

import { conflict } from './errors'
import { heatAfter } from './heating'
import { note } from './history'
import type { Kiln } from './kilns'
import { soleOwner } from './leases'
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
  member?: string
  moves?: number
  series?: string
  number?: number
}

export interface Order {
  kiln: string
  heat?: number
  hold?: number
  programme?: string
  start?: number
  member?: string
  series?: string
  number?: number
}

/** Fires a kiln now, or plans to. */
export function fire (studio: Studio, order: Order): Firing {
  const firing = draft(studio, order)
  refuseImpossible(studio, firing)
  const load = firing.starts === studio.now ? firstFit(studio, firing) : undefined
  if (load?.length === 0) throw conflict('nothing-to-fire')
  studio.firings.set(firing.id, firing)
  if (load !== undefined) light(studio, firing, load)
  else note(studio, 'firing-planned', firing)
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
    used: 0,
    member: order.member,
    series: order.series,
    number: order.number
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
  if (load.length > 0) {
    light(studio, firing, load)
    return
  }
  firing.state = 'empty'
  note(studio, 'firing-empty', firing)
}

function light (studio: Studio, firing: Firing, load: Piece[]): void {
  firing.state = 'firing'
  firing.pieces = load.map(({ id }) => id)
  firing.used = load.reduce((sum, { size }) => sum + size, 0)
  note(studio, 'firing-started', firing)
  for (const piece of load) {
    Object.assign(piece, { state: 'firing', firing: firing.id })
    note(studio, 'piece-loaded', piece, { firing: firing.id })
  }
}

function firstFit (studio: Studio, firing: Firing): Piece[] {
  let left = studio.kilns.get(firing.kiln)!.room
  const owner = soleOwner(studio, firing)
  return inLoadOrder(studio).filter(piece => {
    const isAllowed = owner === undefined || piece.owner === owner
    const isLoaded = isAllowed && canLoad(studio, piece, firing) && piece.size <= left
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

export function endHeat (studio: Studio, firing: Firing): void {
  firing.state = 'cooling'
  if (firing.opens !== undefined) note(studio, 'firing-cooling', firing)
}

/** Takes the pieces out of the kiln, with their heat or without it. */
export function open (studio: Studio, firing: Firing): void {
  if (firing.state === 'cooling') firing.state = 'done'
  if (firing.state !== 'stopped') note(studio, `firing-${firing.state}`, firing)
  for (const piece of piecesOf(studio, firing)) {
    if (firing.state === 'done') endPass(studio, piece)
    else waitAgain(studio, piece)
  }
}

export function cancelFiring (studio: Studio, firing: Firing): void {
  if (['planned', 'stranded'].includes(firing.state)) {
    firing.state = 'cancelled'
    note(studio, 'firing-cancelled', firing)
  } else if (firing.state === 'firing') {
    stop(studio, firing)
  } else {
    throw conflict('firing-over')
  }
}

function stop (studio: Studio, firing: Firing): void {
  const kiln: Kiln = studio.kilns.get(firing.kiln)!
  const heat = heatAfter(kiln, stagesOf(studio, firing), studio.now - firing.starts)
  Object.assign(firing, { state: 'stopped', ends: studio.now })
  note(studio, 'firing-stopped', firing)
  setOpening(kiln, firing, heat)
  if (opening(firing) === studio.now) open(studio, firing)
}
