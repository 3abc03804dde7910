// What a scenario describes.

import { Canal } from './canals'

export type Direction = 'up' | 'down'

export interface Boat {
  name: string
  start: string
  goal: string
  departs: number
  pace: number
}

/** A part of a canal between two stops. */
export type Section = Reach | Lock

export class Reach {
  constructor (readonly name: string, private readonly length: number) {}

  minutes ({ pace }: Boat): number {
    return this.length * pace
  }
}

/** A lock carries one boat at a time. */
export class Lock {
  constructor (readonly name: string, private readonly duration: Record<Direction, number>) {}

  minutes (_: Boat, direction: Direction): number {
    return this.duration[direction]
  }
}

/** One section on a boat's way, and the stop at its far end, if there is one. */
export interface Step { section: Section, direction: Direction, stop?: string }

export class Scenario {
  readonly canal = new Canal()
  readonly boats = new Map<string, Boat>()

  locks (): Lock[] {
    return this.canal.sections().filter((section): section is Lock => section instanceof Lock)
  }
}
