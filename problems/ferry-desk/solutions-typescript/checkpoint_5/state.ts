// State in memory: everything there is, and every change that made it so.

import { legsOf, type Booking, type Fares, type Sailing } from './bookings'
import type { FirstReply } from './repeats'

/** The fares that are planned for a sailing, the earliest first. */
export interface Plan { id: string, fares: Fares[] }

/** The whole new value of a sailing or booking, and what happened to it. */
type Change =
  | { kind: 'sailing', value: Sailing, what: string }
  | { kind: 'booking', value: Booking, what: string }

/** The whole new value of one thing. */
export type Entry =
  | Change
  | { kind: 'clock', value: number }
  | { kind: 'plan', value: Plan }
  | { kind: 'reply', value: FirstReply }

/** A change as the feed shows it. */
interface FeedItem { seq: number, at: number, what: string, id: string, version: number }

type Undo = () => void

/** Sets a value of a map, and returns what undoes that. */
function set<V> (map: Map<string, V>, key: string, value: V): Undo {
  const before = map.get(key)
  map.set(key, value)
  return () => { before === undefined ? map.delete(key) : map.set(key, before) }
}

export class State {
  clock = 0
  readonly sailings = new Map<string, Sailing>()
  readonly bookings = new Map<string, Booking>()
  readonly plans = new Map<string, Plan>()
  readonly replies = new Map<string, FirstReply>()
  readonly versions = new Map<string, number>()
  readonly changes: FeedItem[] = []
  readonly history: Change[] = []
  private readonly idsOn = new Map<string, string[]>()

  /** The bookings of a sailing in the order of their numbers. */
  bookingsOn (sailing: string): Booking[] {
    return (this.idsOn.get(sailing) ?? []).map(id => this.bookings.get(id)!)
  }

  /** The state directly after a change of the feed. */
  asOf (change: number): State {
    const state = new State()
    for (const entry of this.history.slice(0, change)) state.apply(entry)
    return state
  }

  /** Takes an entry in, and returns what takes it out again. */
  protected apply (entry: Entry): Undo {
    switch (entry.kind) {
      case 'clock': return this.setClock(entry.value)
      case 'plan': return set(this.plans, entry.value.id, entry.value)
      case 'reply': return set(this.replies, entry.value.key, entry.value)
      default: return this.change(entry)
    }
  }

  private setClock (minute: number): Undo {
    const before = this.clock
    this.clock = minute
    return () => { this.clock = before }
  }

  private change (entry: Change): Undo {
    const { id } = entry.value
    const undoValue = entry.kind === 'sailing'
      ? set(this.sailings, id, entry.value)
      : this.setBooking(entry.value)
    const version = (this.versions.get(id) ?? 0) + 1
    const undoVersion = set(this.versions, id, version)
    this.changes.push({ seq: this.changes.length + 1, at: this.clock, what: entry.what, id, version })
    this.history.push(entry)
    return () => {
      this.history.pop()
      this.changes.pop()
      undoVersion()
      undoValue()
    }
  }

  private setBooking (booking: Booking): Undo {
    const isNew = !this.bookings.has(booking.id)
    const undo = set(this.bookings, booking.id, booking)
    if (!isNew) return undo
    const undoLegs = legsOf(booking).map(leg => set(this.idsOn, leg, [...this.idsOn.get(leg) ?? [], booking.id]))
    return () => {
      undoLegs.forEach(undoLeg => undoLeg())
      undo()
    }
  }
}
