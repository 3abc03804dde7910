// Series: firings that come again and again, each planned some time before its start.

import { conflict, Refusal } from './errors'
import { cancelFiring, fire, heatingOf, type Heating, type Order as FiringOrder } from './firings'
import { note } from './history'
import { find, type Studio } from './studio'

const LEAD = 1440

interface Order extends FiringOrder { start: number, every: number, times?: number }

export interface Series extends Heating {
  id: string
  kiln: string
  start: number
  member?: string
  every: number
  times?: number
  state: string
  settled: number
  next?: number
}

export function addSeries (studio: Studio, order: Order): Series {
  const kiln = find(studio.kilns, order.kiln, 'kiln')
  const heating = heatingOf(studio, order)
  if (order.start <= studio.now) throw conflict('in-the-past')
  if (heating.heat > kiln.max_heat) throw conflict('too-hot', { max_heat: kiln.max_heat })
  const series: Series = {
    id: `S${studio.series.size + 1}`,
    ...order,
    ...heating,
    state: 'running',
    settled: 0,
    next: order.start
  }
  studio.series.set(series.id, series)
  note(studio, 'series-added', series)
  settle(studio, series)
  return series
}

/** The minute at which the next firing is planned, if there is one. */
export function dueMinute ({ next }: Series): number | undefined {
  return next === undefined ? undefined : next - LEAD
}

/** Plans or skips all firings that are due for it. */
export function settle (studio: Studio, series: Series): void {
  while (series.next !== undefined && series.next - LEAD <= studio.now) {
    planOrSkip(studio, series, series.next)
    series.settled++
    series.next += series.every
    closeIfSettled(series)
  }
}

function planOrSkip (studio: Studio, series: Series, start: number): void {
  const { kiln, programme, heat, hold, member, id } = series
  const number = series.settled + 1
  const isPlanned = start > studio.now &&
    tryToFire(studio, { kiln, programme, heat, hold, member, start, series: id, number })
  if (!isPlanned) note(studio, 'series-skipped', series, { number })
}

function tryToFire (studio: Studio, order: FiringOrder): boolean {
  try {
    fire(studio, order)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function closeIfSettled (series: Series): void {
  if (series.settled === series.times) Object.assign(series, { state: 'done', next: undefined })
}

export function changeSeries (
  studio: Studio, series: Series, changes: { every?: number, times?: number | null }
): void {
  if (series.next === undefined) throw conflict('series-over')
  const { settled } = series
  const { every = series.every, times } = changes
  if (typeof times === 'number' && times < settled) throw conflict('too-few', { settled })
  if (settled > 0) series.next += every - series.every
  series.every = every
  if (times !== undefined) series.times = times ?? undefined
  note(studio, 'series-changed', series)
  closeIfSettled(series)
  settle(studio, series)
}

export function cancelSeries (studio: Studio, series: Series): void {
  if (series.state !== 'running') throw conflict('series-over')
  Object.assign(series, { state: 'cancelled', next: undefined })
  note(studio, 'series-cancelled', series)
  for (const firing of studio.firings.values()) {
    if (firing.series === series.id && ['planned', 'stranded'].includes(firing.state)) cancelFiring(studio, firing)
  }
}
