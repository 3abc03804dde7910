// Pieces that members bring: how they are booked, changed and cancelled, and which comes first.

import { conflict } from './errors'
import { note } from './history'
import { find, type Studio } from './studio'

export const DEFAULT_RANK = 5

/** A heat that a piece needs, and the minutes for which it dries before. */
interface Pass { heat: number, dry: number }

export interface Piece {
  id: string
  owner: string
  size: number
  heat: number
  rank: number
  due?: number
  passes?: Pass[]
  pass?: number
  after?: string
  booked_at: number
  state: string
  ready_at?: number
  firing?: string
}

interface Order extends Pick<Piece, 'owner' | 'size' | 'heat' | 'rank' | 'due' | 'after'> {
  passes?: Array<{ heat: number, dry?: number }>
}

export function showPiece ({ rank, ...piece }: Piece): object {
  return rank === DEFAULT_RANK ? piece : { ...piece, rank }
}

export function book (studio: Studio, order: Order): Piece {
  if (order.after !== undefined) find(studio.pieces, order.after, 'piece')
  refusePast(studio, order.due)
  const piece: Piece = {
    id: `P${studio.pieces.size + 1}`,
    ...order,
    passes: order.passes?.map(({ heat, dry = 0 }) => ({ heat, dry })),
    booked_at: studio.now,
    state: 'waiting'
  }
  studio.pieces.set(piece.id, piece)
  if (piece.passes !== undefined) beginPass(studio, piece, piece.passes, 1)
  note(studio, 'piece-booked', piece)
  return piece
}

function beginPass (studio: Studio, piece: Piece, passes: Pass[], number: number): void {
  const { heat, dry } = passes[number - 1]
  Object.assign(piece, { heat, pass: number, state: 'waiting' })
  if (dry > 0) Object.assign(piece, { state: 'drying', ready_at: studio.now + dry })
}

/** For a piece that has had its heat. */
export function endPass (studio: Studio, piece: Piece): void {
  const { passes = [], pass = 0 } = piece
  if (pass < passes.length) {
    beginPass(studio, piece, passes, pass + 1)
    note(studio, 'piece-out', piece)
    return
  }
  piece.state = 'fired'
  note(studio, 'piece-fired', piece)
}

/** For a piece that comes out of a firing without its heat. */
export function waitAgain (studio: Studio, piece: Piece): void {
  Object.assign(piece, { state: 'waiting', firing: undefined })
  note(studio, 'piece-back', piece)
}

export function endDrying (studio: Studio, piece: Piece): void {
  Object.assign(piece, { state: 'waiting', ready_at: undefined })
  note(studio, 'piece-dried', piece)
}

/** Whether a piece can still be changed, cancelled and missed. */
export function isOpen ({ state }: Piece): boolean {
  return state === 'waiting' || state === 'drying'
}

/** The pieces in the order in which the stoker considers them. */
export function inLoadOrder (studio: Studio): Piece[] {
  return [...studio.pieces.values()].sort((a, b) => a.rank - b.rank || compareDues(a, b))
}

function compareDues ({ due: a }: Piece, { due: b }: Piece): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a - b
}

export function changePiece (studio: Studio, piece: Piece, changes: { rank?: number, due?: number | null }): void {
  refuseUnlessOpen(piece)
  refusePast(studio, changes.due)
  Object.assign(piece, changes)
  if (changes.due === null) piece.due = undefined
  note(studio, 'piece-changed', piece)
}

export function cancelPiece (studio: Studio, piece: Piece): void {
  refuseUnlessOpen(piece)
  closePiece(studio, piece, 'cancelled')
}

export function closePiece (studio: Studio, piece: Piece, state: string): void {
  Object.assign(piece, { state, ready_at: undefined })
  note(studio, `piece-${state}`, piece)
}

function refuseUnlessOpen (piece: Piece): void {
  if (piece.state === 'firing') throw conflict('in-the-fire')
  if (!isOpen(piece)) throw conflict('piece-over')
}

function refusePast (studio: Studio, due?: number | null): void {
  if (typeof due === 'number' && due <= studio.now) throw conflict('in-the-past')
}
