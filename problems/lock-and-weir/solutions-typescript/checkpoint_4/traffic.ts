// The moving parts: boats on their ways, and locks at work.

import { holdsAt, type Boat, type Direction, type Level, type Lock, type Reservation, type Reservoir, type Step } from './model'
import { HOUR } from './times'

export class Voyage {
  /** The stop at which the boat is, if there is one. */
  stop?: string
  /** The way that the boat chose last. */
  plan?: Step[]
  departed?: number
  arrived?: number
  /** The minute in which the boat joined the queue that it is in. */
  joined?: number
  waited = 0
  heldSince?: number
  held = 0

  constructor (readonly boat: Boat) {
    this.stop = boat.start
  }

  get step (): Step {
    return this.plan![0]
  }

  /** Ends the first step of the way that is left. */
  finishStep (): Step {
    const [step, ...rest] = this.plan!
    this.plan = rest
    this.stop = step.stop
    return step
  }

  heldUntil (minute: number): number {
    return this.held + minute - (this.heldSince ?? minute)
  }
}

/** Compares boats in the order of a queue. */
function compareInQueue (a: Voyage, b: Voyage): number {
  const byRank = b.boat.rank - a.boat.rank
  const byMinutes = a.joined! - b.joined! || a.boat.departs - b.boat.departs
  return byRank || byMinutes || (a.boat.name < b.boat.name ? -1 : 1)
}

/** A reservoir, as full as it was when it was looked at last. */
export class Store {
  level: number
  hour = 0
  used = 0

  constructor (readonly reservoir: Reservoir) {
    this.level = reservoir.start
  }

  refresh (minute: number): void {
    const hour = Math.floor(minute / HOUR)
    const { capacity, refill } = this.reservoir
    this.level = Math.min(capacity, this.level + (hour - this.hour) * refill)
    this.hour = hour
  }

  draw (amount: number): void {
    this.level -= amount
    this.used += amount
  }

  /** The first full hour at which there is so much, if nobody draws before. */
  minuteOf (amount: number): number {
    return (this.hour + Math.ceil((amount - this.level) / this.reservoir.refill)) * HOUR
  }
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
  waitsForWater = false
  used = 0
  /** The boats that the lock has taken. */
  taken = new Set<string>()

  constructor (readonly lock: Lock) {
    this.level = lock.features.start
  }

  /** The boats that share the next passage, in the order of the queue. */
  nextGroup (reservations: Reservation[], minute: number): Voyage[] {
    const waiting = [...this.queue].sort(compareInQueue)
    const kept = reservations.find(({ boat, window }) => holdsAt(window, minute) && !this.taken.has(boat))
    if (kept === undefined) return this.groupOf(waiting)
    const first = waiting.find(({ boat }) => boat.name === kept.boat)
    return first === undefined ? [] : this.groupOf([first, ...waiting.filter(voyage => voyage !== first)])
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
