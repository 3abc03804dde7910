// The heat of a kiln in the course of a firing, and how long that takes.

import type { Kiln } from './kilns'
import type { Stage } from './programmes'

const ROOM_HEAT = 20
const OPEN_HEAT = 60

/** What a kiln makes of a stage. `climb` is the minutes until the heat is reached. */
interface Leg { start: number, heat: number, rate: number, climb: number, hold: number }

function legsOf (kiln: Kiln, stages: Stage[]): Leg[] {
  return stages.map((stage, index) => {
    const start = stages[index - 1]?.heat ?? ROOM_HEAT
    const rate = rateOf(kiln, stage, start)
    return { ...stage, start, rate, climb: Math.ceil(Math.abs(stage.heat - start) / rate) }
  })
}

/** The rate of a stage that starts at a heat. */
function rateOf (kiln: Kiln, { heat, rate }: Stage, start: number): number {
  const own = heat >= start ? kiln.rate : kiln.cooling
  return Math.min(rate, own ?? rate)
}

export function heatingMinutes (kiln: Kiln, stages: Stage[]): number {
  return legsOf(kiln, stages).reduce((sum, { climb, hold }) => sum + climb + hold, 0)
}

/** The heat of a kiln so many minutes after the start of a firing. */
export function heatAfter (kiln: Kiln, stages: Stage[], minutes: number): number {
  let heat = ROOM_HEAT
  let left = minutes
  for (const leg of legsOf(kiln, stages)) {
    if (left < 0) break
    if (left < leg.climb) return leg.start + Math.sign(leg.heat - leg.start) * leg.rate * left
    heat = leg.heat
    left -= leg.climb + leg.hold
  }
  return heat
}

/** The minutes until a kiln of a heat can be opened. */
export function coolingMinutes (cooling: number, heat: number): number {
  return Math.max(0, Math.ceil((heat - OPEN_HEAT) / cooling))
}
