// The rules of the line: what may be booked, amended and cancelled.

import {
  fits, isOpen, isWanted, moved, numberOf, priceOf, refundOf, withPlaces,
  type Booking, type Order, type Room, type Sailing, type Selection
} from './bookings'
import { conflict, notFound, stale } from './errors'
import { compareCodes } from './fields'
import { Places, serve } from './places'
import { report } from './report'
import type { State } from './state'
import type { Store } from './store'
import { moveClock } from './timeline'

type SailingAmendment = Partial<Omit<Sailing, 'id' | 'from' | 'to'>>
type BookingAmendment = Partial<Pick<Booking, 'name' | keyof Room>>

/** Whether an amendment gives some field another value. */
function changes<T extends object> (amendment: Partial<T>, thing: T): boolean {
  return Object.entries(amendment).some(([key, value]) => thing[key as keyof T] !== value)
}

/** The line at some time, of which everything can be read. */
export class PastLine {
  protected readonly places: Places

  constructor (protected readonly state: State) {
    this.places = new Places(state)
  }

  version (id: string): number {
    return this.state.versions.get(id) ?? 0
  }

  report (): object {
    return report(this.state, this.orderedSailings())
  }

  sailing (id: string): Sailing {
    const sailing = this.findSailing(id)
    const { persons, metres } = this.places.free(sailing)
    return { ...sailing, free_persons: persons, free_metres: metres } as Sailing
  }

  /** The sailings from and to the wanted ports. */
  sailings ({ from, to }: { from?: string, to?: string }): Sailing[] {
    return this.orderedSailings()
      .filter(sailing => from === undefined || sailing.from === from)
      .filter(sailing => to === undefined || sailing.to === to)
      .map(({ id }) => this.sailing(id))
  }

  booking (id: string): Booking {
    return this.shown(this.findBooking(id))
  }

  bookingsOf (sailing: string, state?: string): Booking[] {
    this.findSailing(sailing)
    return this.state.bookingsOn(sailing)
      .filter(booking => isWanted(booking, { state }))
      .map(booking => this.shown(booking))
  }

  waitingList (sailing: string): Booking[] {
    return this.bookingsOf(sailing, 'waiting')
  }

  protected findSailing (id: string): Sailing {
    const sailing = this.state.sailings.get(id)
    if (sailing === undefined) throw notFound('no-such-sailing')
    return sailing
  }

  protected findBooking (id: string): Booking {
    const booking = this.state.bookings.get(id)
    if (booking === undefined) throw notFound('no-such-booking')
    return booking
  }

  protected shown (booking: Booking): Booking {
    if (booking.state !== 'waiting') return booking
    return { ...booking, position: this.position(booking, booking.sailing) } as Booking
  }

  private position ({ id }: Booking, sailing: string): number {
    const waiting = this.state.bookingsOn(sailing).filter(({ state }) => state === 'waiting')
    return waiting.findIndex(other => other.id === id) + 1
  }

  private orderedSailings (): Sailing[] {
    return [...this.state.sailings.values()]
      .sort((a, b) => a.departs - b.departs || compareCodes(a.id, b.id))
  }
}

/** The line as it is now. */
export class Line extends PastLine {
  constructor (private readonly store: Store) {
    super(store)
  }

  get now (): number {
    return this.store.clock
  }

  setClock (minute: number): void {
    if (minute < this.now) throw conflict('clock-backwards')
    moveClock(this.store, minute)
  }

  /** The line directly after a change of the feed. */
  asOf (change: number): PastLine {
    if (change > this.store.changes.length) throw notFound('no-such-change')
    return new PastLine(this.store.asOf(change))
  }

  /** The line at the end of a minute. */
  atEndOf (minute: number): PastLine {
    if (minute > this.now) throw notFound('not-yet')
    return this.asOf(this.store.changes.filter(({ at }) => at <= minute).length)
  }

  /** The changes that follow one, and the number of the last. */
  changes (after: number, limit: number): object {
    const { changes } = this.store
    return { changes: changes.slice(after, after + limit), last: changes.length }
  }

  addSailing (sailing: Sailing): Sailing {
    if (this.store.sailings.has(sailing.id)) throw conflict('sailing-exists')
    this.refusePast(sailing.departs)
    this.store.put({ kind: 'sailing', value: sailing, what: 'sailing-added' })
    return this.sailing(sailing.id)
  }

  amendSailing (id: string, version: number | undefined, amendment: SailingAmendment): Sailing {
    const sailing = this.findSailing(id)
    this.refuseStale(id, version)
    this.refuseDeparted(sailing)
    const amended = { ...sailing, ...amendment }
    this.refusePast(amended.departs)
    const taken = this.places.taken(sailing)
    if (!fits(taken, amended)) {
      throw conflict('taken', { taken_persons: taken.persons, taken_metres: taken.metres })
    }
    if (changes(amendment, sailing)) {
      this.store.put({ kind: 'sailing', value: amended, what: 'sailing-changed' })
      this.shortenHolds(amended)
      serve(this.store, amended)
    }
    return this.sailing(id)
  }

  book (order: Order): Booking {
    const sailing = this.findSailing(order.sailing)
    this.refuseDeparted(sailing)
    const free = this.places.free(sailing)
    const { wait, ...wanted } = order
    let booking: Booking = {
      id: `B${this.store.bookings.size + 1}`,
      ...wanted,
      price: priceOf(order, sailing),
      booked_at: this.now,
      state: 'waiting'
    }
    if (fits(booking, free)) {
      booking = withPlaces(booking, sailing.departs, this.now)
    } else if (!wait || !fits(booking, sailing)) {
      throw full(free)
    }
    this.store.put({ kind: 'booking', value: booking, what: 'booking-made' })
    return this.shown(booking)
  }

  /** Bookings before a number, the newest first, and the number of the last if more follow. */
  page (wanted: Selection, before = Infinity, limit: number): { bookings: Booking[], last?: number } {
    if (wanted.sailing !== undefined) this.findSailing(wanted.sailing)
    const found = [...this.store.bookings.values()].reverse()
      .filter(booking => isWanted(booking, wanted) && numberOf(booking) < before)
    const page = found.slice(0, limit)
    return {
      bookings: page.map(booking => this.shown(booking)),
      last: found.length > limit ? numberOf(page[limit - 1]) : undefined
    }
  }

  confirm (id: string, version: number | undefined): Booking {
    const booking = this.findBooking(id)
    this.refuseStale(id, version)
    if (booking.state !== 'held') throw conflict('not-held')
    this.store.put({ kind: 'booking', value: moved(booking, 'booked'), what: 'booking-confirmed' })
    return this.booking(id)
  }

  cancel (id: string, version: number | undefined): Booking {
    const booking = this.findBooking(id)
    this.refuseStale(id, version)
    if (booking.state === 'cancelled') throw conflict('already-cancelled')
    const sailing = this.openSailing(booking)
    const refund = refundOf(booking, sailing.departs, this.now)
    this.store.put({ kind: 'booking', value: moved(booking, 'cancelled', { refund }), what: 'booking-cancelled' })
    serve(this.store, sailing)
    return this.booking(id)
  }

  amendBooking (id: string, version: number | undefined, amendment: BookingAmendment): Booking {
    const booking = this.findBooking(id)
    this.refuseStale(id, version)
    const sailing = this.openSailing(booking)
    const amended = { ...booking, ...amendment }
    const free = this.places.free(sailing, booking)
    if (!fits(amended, booking.state === 'waiting' ? sailing : free)) throw full(free)
    if (changes(amendment, booking)) {
      if (amended.persons !== booking.persons || amended.metres !== booking.metres) {
        amended.price = priceOf(amended, sailing)
      }
      this.store.put({ kind: 'booking', value: amended, what: 'booking-changed' })
      serve(this.store, sailing)
    }
    return this.booking(id)
  }

  private refuseStale (id: string, version: number | undefined): void {
    const present = this.version(id)
    if (version !== undefined && version !== present) throw stale(present)
  }

  private refusePast (minute: number): void {
    if (minute <= this.now) throw conflict('in-the-past')
  }

  private refuseDeparted (sailing: Sailing): void {
    if (this.now >= sailing.departs) throw conflict('departed')
  }

  /** The sailing of a booking that can still be changed. */
  private openSailing (booking: Booking): Sailing {
    if (!isOpen(booking)) throw conflict('not-open')
    const sailing = this.findSailing(booking.sailing)
    this.refuseDeparted(sailing)
    return sailing
  }

  private shortenHolds ({ id, departs }: Sailing): void {
    for (const booking of this.store.bookingsOn(id)) {
      if (booking.state !== 'held' || booking.held_until! <= departs) continue
      this.store.put({ kind: 'booking', value: { ...booking, held_until: departs }, what: 'booking-changed' })
    }
  }
}

function full ({ persons, metres }: Room): Error {
  return conflict('full', { free_persons: persons, free_metres: metres })
}
