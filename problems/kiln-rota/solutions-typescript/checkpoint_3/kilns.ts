// Kilns, and how they are shown.

import { conflict } from './errors'
import { hotFiring } from './planning'
import type { Studio } from './studio'

export interface Kiln {
  id: string
  room: number
  max_heat: number
  rate: number
  cooling?: number
}

export function addKiln (studio: Studio, kiln: Kiln): Kiln {
  if (studio.kilns.has(kiln.id)) throw conflict('kiln-exists')
  studio.kilns.set(kiln.id, kiln)
  return kiln
}

export function showKiln (studio: Studio, kiln: Kiln): object {
  const firing = hotFiring(studio, kiln)
  if (firing === undefined) return { ...kiln, state: 'idle' }
  return { ...kiln, state: firing.state === 'firing' ? 'firing' : 'cooling', firing: firing.id }
}
