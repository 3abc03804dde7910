// Pieces that members bring.

import type { Studio } from './studio'

export interface Piece {
  id: string
  owner: string
  size: number
  heat: number
  booked_at: number
  state: string
  firing?: string
}

export function book (studio: Studio, fields: Pick<Piece, 'owner' | 'size' | 'heat'>): Piece {
  const piece = { id: `P${studio.pieces.size + 1}`, ...fields, booked_at: studio.now, state: 'waiting' }
  studio.pieces.set(piece.id, piece)
  return piece
}
