// Moves the clock. Everything happens at its own minute, and within a minute in a fixed order.

import { finish, start } from './firings'
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
  const firings = [...studio.firings.values()]
  return [
    ...firings.filter(({ state }) => state === 'firing').map(({ ends }) => ends),
    ...firings.filter(({ state }) => state === 'planned').map(({ starts }) => starts),
    ...[...studio.pieces.values()].flatMap(({ state, due }) => state === 'waiting' ? due ?? [] : [])
  ]
}

function playMinute (studio: Studio): void {
  const { now } = studio
  const firings = [...studio.firings.values()]
  const pieces = [...studio.pieces.values()]
  firings.filter(({ state, ends }) => state === 'firing' && ends === now).forEach(firing => finish(studio, firing))
  pieces.filter(({ state, due }) => state === 'waiting' && due === now).forEach(piece => { piece.state = 'missed' })
  firings.filter(({ state, starts }) => state === 'planned' && starts === now).forEach(firing => start(studio, firing))
}
