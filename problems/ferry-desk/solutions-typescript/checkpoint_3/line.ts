// The rules of the line: what may be booked, amended and cancelled.

import {
  fits, isOpen, isWanted, moved, numberOf, priceOf, refundOf, withPlaces,
  type Booking, type Order, type Room, type Sailing, type Selection
} from './bookings'
import { conflict, notFound, stale } from './errors'
import { compareCodes } from './fields'
import { Places } from './places'
import type { Store } from './store'
import { moveClock } from './timeline'

type SailingAmendment = Partial<Omit<Sailing, 'id' | 'from' | 'to'>>
type BookingAmendment = Partial<Pick<Booking, 'name' | keyof Room>>

/** Whether an amendment gives some field another value. */
function changes<T extends object> (amendment: Partial<T>, thing: T): boolean {
  return Object.entries(amendment).some(([key, value]) => thing[key as keyof T] !== value)
}

export class Line {
  private readonly places: Places

  constructor (private readonly store: Store) {
    this.places = new Places(store)
  }

  get now (): number {
    return this.store.clock
  }

  setClock (minute: number): void {
    if (minute < this.now) throw conflict('clock-backwards')
    moveClock(this.store, this.places, minute)
  }

  version (id: string): number {
    return this.store.versions.get(id) ?? 0
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

  sailing (id: string): Sailing {
    const sailing = this.findSailing(id)
    const { persons, metres } = this.places.free(sailing)
    return { ...sailing, free_persons: persons, free_metres: metres } as Sailing
  }

  /** The sailings from and to the wanted ports. */
  sailings ({ from, to }: { from?: string, to?: string }): Sailing[] {
    return [...this.store.sailings.values()]
      .filter(sailing => from === undefined || sailing.from === from)
      .filter(sailing => to === undefined || sailing.to === to)
      .sort((a, b) => a.departs - b.departs || compareCodes(a.id, b.id))
      .map(({ id }) => this.sailing(id))
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
      this.places.serve(amended)
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

  booking (id: string): Booking {
    return this.shown(this.findBooking(id))
  }

  bookingsOf (sailing: string, state?: string): Booking[] {
    this.findSailing(sailing)
    return this.store.bookingsOn(sailing)
      .filter(booking => isWanted(booking, { state }))
      .map(booking => this.shown(booking))
  }

  waitingList (sailing: string): Booking[] {
    return this.bookingsOf(sailing, 'waiting')
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
    this.places.serve(sailing)
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
      this.places.serve(sailing)
    }
    return this.booking(id)
  }

  private findSailing (id: string): Sailing {
    const sailing = this.store.sailings.get(id)
    if (sailing === undefined) throw notFound('no-such-sailing')
    return sailing
  }

  private findBooking (id: string): Booking {
    const booking = this.store.bookings.get(id)
    if (booking === undefined) throw notFound('no-such-booking')
    return booking
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

  private shown (booking: Booking): Booking {
    if (booking.state !== 'waiting') return booking
    const waiting = this.store.bookingsOn(booking.sailing).filter(({ state }) => state === 'waiting')
    return { ...booking, position: waiting.findIndex(({ id }) => id === booking.id) + 1 } as Booking
  }
}

function full ({ persons, metres }: Room): Error {
  return conflict('full', { free_persons: persons, free_metres: metres })
}
