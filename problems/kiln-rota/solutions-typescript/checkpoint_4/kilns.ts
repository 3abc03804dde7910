// Kilns, and how they are shown.

import { moveStranded } from './breaking'
import { conflict } from './errors'
import { note } from './history'
import { hotFiring } from './planning'
import type { Studio } from './studio'

export interface Kiln {
  id: string
  room: number
  max_heat: number
  rate: number
  cooling?: number
  broken?: boolean
}

export function addKiln (studio: Studio, kiln: Kiln): Kiln {
  if (studio.kilns.has(kiln.id)) throw conflict('kiln-exists')
  studio.kilns.set(kiln.id, kiln)
  note(studio, 'kiln-added', kiln)
  moveStranded(studio)
  return kiln
}

export function showKiln (studio: Studio, { broken, ...kiln }: Kiln): object {
  if (broken === true) return { ...kiln, state: 'broken' }
  const firing = hotFiring(studio, kiln)
  if (firing === undefined) return { ...kiln, state: 'idle' }
  return { ...kiln, state: firing.state === 'firing' ? 'firing' : 'cooling', firing: firing.id }
}
