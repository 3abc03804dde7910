// The moving parts: boats on their ways, and locks at work.

import type { Boat, Direction, Lock, Step } from './model'

export class Voyage {
  departed?: number
  arrived?: number
  /** The minute in which the boat joined the queue that it is in. */
  joined?: number
  waited = 0

  constructor (readonly boat: Boat, private readonly plan: Step[]) {}

  get step (): Step {
    return this.plan[0]
  }

  /** Ends the first step of the way that is left. */
  finishStep (): Step {
    return this.plan.shift()!
  }
}

/** Compares boats in the order of a queue. */
function compareInQueue (a: Voyage, b: Voyage): number {
  const byMinutes = a.joined! - b.joined! || a.boat.departs - b.boat.departs
  return byMinutes || (a.boat.name < b.boat.name ? -1 : 1)
}

export class Chamber {
  queue: Voyage[] = []
  freeAt = 0
  carried: Record<Direction, number> = { up: 0, down: 0 }
  busy = 0
  longestQueue = 0

  constructor (readonly lock: Lock) {}

  /** The boat that comes first in the queue. */
  first (): Voyage | undefined {
    return [...this.queue].sort(compareInQueue)[0]
  }
}
