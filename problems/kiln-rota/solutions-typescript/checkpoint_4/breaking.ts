// Kilns that break and are repaired, and what happens to their firings.

import { conflict } from './errors'
import { open, start, type Firing } from './firings'
import { note } from './history'
import type { Kiln } from './kilns'
import { hotFiring, move, planOf } from './planning'
import type { Studio } from './studio'

export function breakKiln (studio: Studio, kiln: Kiln): void {
  if (kiln.broken === true) throw conflict('kiln-broken')
  kiln.broken = true
  note(studio, 'kiln-broken', kiln)
  const hot = hotFiring(studio, kiln)
  if (hot !== undefined) openAtOnce(studio, hot)
  for (const firing of planOf(studio, kiln)) {
    if (move(studio, firing)) continue
    firing.state = 'stranded'
    note(studio, 'firing-stranded', firing)
  }
}

function openAtOnce (studio: Studio, firing: Firing): void {
  if (firing.state === 'firing') Object.assign(firing, { state: 'failed', ends: studio.now })
  if (firing.opens !== undefined) firing.opens = studio.now
  open(studio, firing)
}

export function repairKiln (studio: Studio, kiln: Kiln): void {
  if (kiln.broken !== true) throw conflict('not-broken')
  kiln.broken = false
  note(studio, 'kiln-repaired', kiln)
  moveStranded(studio)
}

/** For the moment at which there is one kiln more. */
export function moveStranded (studio: Studio): void {
  const moved = [...studio.firings.values()]
    .filter(({ state }) => state === 'stranded')
    .filter(firing => move(studio, firing))
  for (const firing of moved.filter(({ starts }) => starts === studio.now)) start(studio, firing)
}
