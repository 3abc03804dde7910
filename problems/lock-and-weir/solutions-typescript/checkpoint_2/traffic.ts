// The moving parts: boats on their ways, and locks at work.

import type { Boat, Direction, Level, Lock, Step } from './model'

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
  level: Level
  carried: Record<Direction, number> = { up: 0, down: 0 }
  passages = 0
  turns = 0
  busy = 0
  longestQueue = 0

  constructor (readonly lock: Lock) {
    this.level = lock.features.start
  }

  /** The boats that share the next passage, in the order of the queue. */
  nextGroup (): Voyage[] {
    return this.groupOf([...this.queue].sort(compareInQueue))
  }

  private groupOf ([first, ...others]: Voyage[]): Voyage[] {
    const { room } = this.lock.features
    if (first === undefined) return []
    if (room === undefined) return [first]
    let left = room - first.boat.size
    const sharing = others.filter(({ boat, step }) => {
      const goesIn = step.direction === first.step.direction && boat.size <= left
      if (goesIn) left -= boat.size
      return goesIn
    })
    return [first, ...sharing]
  }
}
