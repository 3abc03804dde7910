// The canals as a network of stops, in which boats choose their ways.

import type { Canal, Leg } from './canals'
import { Lock, type Boat, type Step } from './model'

/** A way, and everything by which it is compared with others. */
interface Way { stop: string, steps: Step[], minutes: number, locks: number }

export function wayMinutes (steps: Step[], boat: Boat): number {
  return steps.reduce((sum, { section, direction }) => sum + section.minutes(boat, direction), 0)
}

export function sectionNames (steps: Step[]): string[] {
  return steps.map(({ section }) => section.name)
}

export class Network {
  private readonly legs = new Map<string, Leg[]>()

  constructor (canals: Canal[]) {
    for (const leg of canals.flatMap(canal => canal.legs())) {
      this.legs.set(leg.start, [...this.legs.get(leg.start) ?? [], leg])
    }
  }

  /** The best way from a stop to the boat's goal that avoids some sections, if there is one. */
  route (boat: Boat, start: string, closed: Set<string>): Step[] | undefined {
    let open: Way[] = [{ stop: start, steps: [], minutes: 0, locks: 0 }]
    const done = new Set<string>()
    while (open.length > 0) {
      const best = open.reduce((best, way) => compare(way, best) < 0 ? way : best)
      if (best.stop === boat.goal) return best.steps
      done.add(best.stop)
      open = [...open, ...this.continued(best, boat, closed)].filter(({ stop }) => !done.has(stop))
    }
    return undefined
  }

  private continued (way: Way, boat: Boat, closed: Set<string>): Way[] {
    return (this.legs.get(way.stop) ?? [])
      .filter(({ steps }) => steps.every(({ section }) => section.admits(boat) && !closed.has(section.name)))
      .map(({ goal, steps }) => ({
        stop: goal,
        steps: [...way.steps, ...steps],
        minutes: way.minutes + wayMinutes(steps, boat),
        locks: way.locks + steps.filter(({ section }) => section instanceof Lock).length
      }))
  }
}

function compare (a: Way, b: Way): number {
  return a.minutes - b.minutes || a.locks - b.locks || compareNames(sectionNames(a.steps), sectionNames(b.steps))
}

function compareNames (a: string[], b: string[]): number {
  const at = a.findIndex((name, index) => name !== b[index])
  if (at < 0) return a.length - b.length
  return b[at] === undefined || a[at] > b[at] ? 1 : -1
}
