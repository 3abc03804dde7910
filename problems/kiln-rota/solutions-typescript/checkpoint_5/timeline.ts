// Moves the clock. Everything happens at its own minute, and within a minute in a fixed order.

import { endHeat, open, start, type Firing } from './firings'
import { closePiece, endDrying, isOpen, type Piece } from './pieces'
import { isHot, opening } from './planning'
import { dueMinute, settle } from './series'
import type { Studio } from './studio'

export function moveClock (studio: Studio, minutes: number): void {
  const target = studio.now + minutes
  let next = Math.min(...dueMinutes(studio))
  while (next <= target) {
    studio.now = next
    playMinute(studio)
    next = Math.min(...dueMinutes(studio))
  }
  studio.now = target
}

/** The minutes at which something that is known now will happen. */
function dueMinutes (studio: Studio): number[] {
  return [
    ...[...studio.firings.values()].flatMap(firing => firingMinutes(studio, firing)),
    ...[...studio.pieces.values()].flatMap(pieceMinutes),
    ...[...studio.series.values()].flatMap(series => dueMinute(series) ?? [])
  ]
}

function firingMinutes (studio: Studio, firing: Firing): number[] {
  if (firing.state === 'planned') return [firing.starts]
  if (firing.state === 'firing') return [firing.ends]
  return isHot(studio, firing) ? [opening(firing)] : []
}

function pieceMinutes (piece: Piece): number[] {
  const minutes = [piece.ready_at, isOpen(piece) ? piece.due : undefined]
  return minutes.filter((minute): minute is number => minute !== undefined)
}

function playMinute (studio: Studio): void {
  const { now } = studio
  const firings = [...studio.firings.values()]
  const pieces = [...studio.pieces.values()]
  firings.filter(({ state, ends }) => state === 'firing' && ends === now).forEach(firing => endHeat(studio, firing))
  firings.filter(firing => isOpenedAt(now, firing)).forEach(firing => open(studio, firing))
  pieces.filter(({ ready_at }) => ready_at === now).forEach(piece => endDrying(studio, piece))
  pieces.filter(piece => isOpen(piece) && piece.due === now).forEach(piece => closePiece(studio, piece, 'missed'))
  firings.filter(({ state, starts }) => state === 'planned' && starts === now).forEach(firing => start(studio, firing))
  studio.series.forEach(series => settle(studio, series))
}

function isOpenedAt (minute: number, firing: Firing): boolean {
  return ['cooling', 'stopped'].includes(firing.state) && opening(firing) === minute
}
