// The time of kilns: what takes it, and when a kiln is free the soonest.

import { conflict } from './errors'
import type { Firing } from './firings'
import { coolingMinutes, heatingMinutes } from './heating'
import { note } from './history'
import type { Kiln } from './kilns'
import { foreignLeases } from './leases'
import type { Stage } from './programmes'
import { firingsOf, type Studio } from './studio'

export function stagesOf (studio: Studio, { programme, kiln, heat, hold = 0 }: Firing): Stage[] {
  if (programme !== undefined) return studio.programmes.get(programme)!.stages
  return [{ heat, rate: studio.kilns.get(kiln)!.rate, hold }]
}

/** Sets when a firing ends and is opened. */
export function setTimes (studio: Studio, firing: Firing): void {
  const kiln = studio.kilns.get(firing.kiln)!
  const stages = stagesOf(studio, firing)
  firing.ends = firing.starts + heatingMinutes(kiln, stages)
  setOpening(kiln, firing, stages[stages.length - 1].heat)
}

/** Sets when a kiln that has a heat at the end can be opened. */
export function setOpening ({ cooling }: Kiln, firing: Firing, heat: number): void {
  firing.opens = cooling === undefined ? undefined : firing.ends + coolingMinutes(cooling, heat)
}

/** The minute from which the kiln can be used again. */
export function opening ({ opens, ends }: Firing): number {
  return opens ?? ends
}

/** Whether a firing has its kiln, and pieces in it, at present. */
export function isHot (studio: Studio, firing: Firing): boolean {
  return ['firing', 'cooling'].includes(firing.state) ||
    (firing.state === 'stopped' && opening(firing) > studio.now)
}

/** The firing that has the kiln at present. */
export function hotFiring (studio: Studio, kiln: Kiln): Firing | undefined {
  return firingsOf(studio, kiln).find(firing => isHot(studio, firing))
}

/** The firings that take the kiln's time, the earliest first. */
export function planOf (studio: Studio, kiln: Kiln): Firing[] {
  return firingsOf(studio, kiln)
    .filter(firing => firing.state === 'planned' || isHot(studio, firing))
    .sort((a, b) => a.starts - b.starts)
}

/** The firings that take the kiln between two minutes, the earliest first. */
export function busyWith (studio: Studio, kiln: Kiln, first: number, last: number): Firing[] {
  return planOf(studio, kiln).filter(firing => first < opening(firing) && firing.starts < last)
}

export function refuseImpossible (studio: Studio, firing: Firing): void {
  const kiln = studio.kilns.get(firing.kiln)!
  if (kiln.broken === true) throw conflict('kiln-broken')
  if (firing.starts < studio.now) throw conflict('in-the-past')
  if (firing.heat > kiln.max_heat) throw conflict('too-hot', { max_heat: kiln.max_heat })
  const [lease] = foreignLeases(studio, firing)
  if (lease !== undefined) throw conflict('leased', { lease: lease.id })
  const [other] = busyWith(studio, kiln, firing.starts, opening(firing))
  if (other !== undefined) throw conflict('kiln-busy', { until: opening(other) })
}

/** Moves a firing to where it can start the soonest. Returns whether there is a kiln for it. */
export function move (studio: Studio, firing: Firing): boolean {
  const [best] = [...studio.kilns.values()]
    .filter(kiln => kiln.broken !== true && kiln.max_heat >= firing.heat)
    .map(kiln => soonest(studio, firing, kiln))
    .sort((a, b) => a.starts - b.starts || (a.kiln < b.kiln ? -1 : 1))
  if (best === undefined) return false
  Object.assign(firing, best, { state: 'planned', moves: (firing.moves ?? 0) + 1 })
  note(studio, 'firing-moved', firing, { kiln: firing.kiln, starts: firing.starts })
  return true
}

/** The firing as it would be in a kiln at the first minute at which it can start there. */
function soonest (studio: Studio, firing: Firing, kiln: Kiln): Firing {
  const draft = { ...firing, kiln: kiln.id, starts: Math.max(firing.starts, studio.now) }
  let releases: number[] = []
  do {
    draft.starts = Math.min(...releases.length > 0 ? releases : [draft.starts])
    setTimes(studio, draft)
    const leases = foreignLeases(studio, draft).map(({ to }) => to)
    releases = [...leases, ...busyWith(studio, kiln, draft.starts, opening(draft)).map(opening)]
  } while (releases.length > 0)
  return draft
}
