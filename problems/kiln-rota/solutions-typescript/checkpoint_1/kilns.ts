// Kilns, and how they are shown.

import { conflict } from './errors'
import { firingsOf, type Studio } from './studio'

export interface Kiln {
  id: string
  room: number
  max_heat: number
  rate: number
}

export function addKiln (studio: Studio, kiln: Kiln): Kiln {
  if (studio.kilns.has(kiln.id)) throw conflict('kiln-exists')
  studio.kilns.set(kiln.id, kiln)
  return kiln
}

export function showKiln (studio: Studio, kiln: Kiln): object {
  const firing = firingsOf(studio, kiln).find(({ state }) => state === 'firing')
  return firing === undefined ? { ...kiln, state: 'idle' } : { ...kiln, state: 'firing', firing: firing.id }
}
