// What a scenario describes.

import { Canal } from './canals'

export type Direction = 'up' | 'down'

export type Level = 'low' | 'high'

export const LEVEL_TO_ENTER: Record<Direction, Level> = { up: 'low', down: 'high' }
export const LEVEL_AFTER: Record<Direction, Level> = { up: 'high', down: 'low' }

export interface Boat {
  name: string
  start: string
  goal: string
  departs: number
  pace: number
  size: number
  rank: number
  line: number
}

/** A part of a canal between two stops. */
export type Section = Reach | Lock

export class Reach {
  constructor (readonly name: string, private readonly length: number) {}

  admits (): boolean {
    return true
  }

  minutes ({ pace }: Boat): number {
    return this.length * pace
  }
}

export interface Reservoir { name: string, capacity: number, refill: number, start: number }

/** The water for each filling of a lock, and the reservoir that it comes from. */
export interface Supply { water: number, reservoir: string }

export interface LockFeatures {
  duration: Record<Direction, number>
  /** Without room, the lock takes any boat, but one at a time. */
  room?: number
  turn: number
  start: Level
  supply?: Supply
}

export class Lock {
  constructor (readonly name: string, readonly features: LockFeatures) {}

  admits ({ size }: Boat): boolean {
    return this.features.room === undefined || size <= this.features.room
  }

  minutes (_: Boat, direction: Direction): number {
    return this.features.duration[direction]
  }
}

/** One section on a boat's way, and the stop at its far end, if there is one. */
export interface Step { section: Section, direction: Direction, stop?: string }

/** A stretch of time, to which its end does not belong. */
export interface Window { from: number, until: number }

export function holdsAt ({ from, until }: Window, minute: number): boolean {
  return from <= minute && minute < until
}

export function overlap (one: Window, other: Window): boolean {
  return one.from < other.until && other.from < one.until
}

/** Keeps a lock for a boat. */
export interface Reservation { boat: string, window: Window }

export class Scenario {
  readonly canal = new Canal()
  readonly boats = new Map<string, Boat>()
  readonly reservoirs = new Map<string, Reservoir>()
  /** By lock. */
  readonly reservations = new Map<string, Reservation[]>()

  locks (): Lock[] {
    return this.canal.sections().filter((section): section is Lock => section instanceof Lock)
  }
}
