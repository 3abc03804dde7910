// Pieces that members bring: how they are booked, changed and cancelled, and which comes first.

import { conflict } from './errors'
import type { Studio } from './studio'

export const DEFAULT_RANK = 5

export interface Piece {
  id: string
  owner: string
  size: number
  heat: number
  rank: number
  due?: number
  booked_at: number
  state: string
  firing?: string
}

type Order = Pick<Piece, 'owner' | 'size' | 'heat' | 'rank' | 'due'>

export function showPiece ({ rank, ...piece }: Piece): object {
  return rank === DEFAULT_RANK ? piece : { ...piece, rank }
}

export function book (studio: Studio, order: Order): Piece {
  refusePast(studio, order.due)
  const piece = { id: `P${studio.pieces.size + 1}`, ...order, booked_at: studio.now, state: 'waiting' }
  studio.pieces.set(piece.id, piece)
  return piece
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
}

export function cancelPiece (piece: Piece): void {
  refuseUnlessOpen(piece)
  piece.state = 'cancelled'
}

function refuseUnlessOpen (piece: Piece): void {
  if (piece.state === 'firing') throw conflict('in-the-fire')
  if (piece.state !== 'waiting') throw conflict('piece-over')
}

function refusePast (studio: Studio, due?: number | null): void {
  if (typeof due === 'number' && due <= studio.now) throw conflict('in-the-past')
}
