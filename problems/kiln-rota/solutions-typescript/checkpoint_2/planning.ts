// The time of kilns: what takes it.

import { conflict } from './errors'
import type { Firing } from './firings'
import type { Kiln } from './kilns'
import { firingsOf, type Studio } from './studio'

/** The firings that take the kiln's time, the earliest first. */
export function planOf (studio: Studio, kiln: Kiln): Firing[] {
  return firingsOf(studio, kiln)
    .filter(({ state }) => ['planned', 'firing'].includes(state))
    .sort((a, b) => a.starts - b.starts)
}

export function refuseImpossible (studio: Studio, firing: Firing): void {
  const kiln = studio.kilns.get(firing.kiln)!
  if (firing.starts < studio.now) throw conflict('in-the-past')
  if (firing.heat > kiln.max_heat) throw conflict('too-hot', { max_heat: kiln.max_heat })
  const other = planOf(studio, kiln).find(({ starts, ends }) => firing.starts < ends && starts < firing.ends)
  if (other !== undefined) throw conflict('kiln-busy', { until: other.ends })
}
