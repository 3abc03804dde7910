// The time of kilns: what takes it.

import { conflict } from './errors'
import type { Firing } from './firings'
import { coolingMinutes, heatingMinutes } from './heating'
import type { Kiln } from './kilns'
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
  if (firing.starts < studio.now) throw conflict('in-the-past')
  if (firing.heat > kiln.max_heat) throw conflict('too-hot', { max_heat: kiln.max_heat })
  const [other] = busyWith(studio, kiln, firing.starts, opening(firing))
  if (other !== undefined) throw conflict('kiln-busy', { until: opening(other) })
}
