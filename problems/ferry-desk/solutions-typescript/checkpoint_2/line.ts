// The rules of the line: what may be booked, confirmed and cancelled.

import { fits, isOpen, moved, priceOf, refundOf, withPlaces, type Booking, type Order, type Sailing } from './bookings'
import { conflict, notFound } from './errors'
import { compareCodes } from './fields'
import { Places } from './places'
import type { Store } from './store'
import { moveClock } from './timeline'

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

  addSailing (sailing: Sailing): Sailing {
    if (this.store.sailings.has(sailing.id)) throw conflict('sailing-exists')
    if (sailing.departs <= this.now) throw conflict('in-the-past')
    this.store.put({ kind: 'sailing', value: sailing })
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
      throw conflict('full', { free_persons: free.persons, free_metres: free.metres })
    }
    this.store.put({ kind: 'booking', value: booking })
    return this.shown(booking)
  }

  booking (id: string): Booking {
    return this.shown(this.findBooking(id))
  }

  bookingsOf (sailing: string, state?: string): Booking[] {
    this.findSailing(sailing)
    return this.store.bookingsOn(sailing)
      .filter(booking => state === undefined || booking.state === state)
      .map(booking => this.shown(booking))
  }

  waitingList (sailing: string): Booking[] {
    return this.bookingsOf(sailing, 'waiting')
  }

  confirm (id: string): Booking {
    const booking = this.findBooking(id)
    if (booking.state !== 'held') throw conflict('not-held')
    this.store.put({ kind: 'booking', value: moved(booking, 'booked') })
    return this.booking(id)
  }

  cancel (id: string): Booking {
    const booking = this.findBooking(id)
    if (booking.state === 'cancelled') throw conflict('already-cancelled')
    if (!isOpen(booking)) throw conflict('not-open')
    const sailing = this.findSailing(booking.sailing)
    this.refuseDeparted(sailing)
    const refund = refundOf(booking, sailing.departs, this.now)
    this.store.put({ kind: 'booking', value: moved(booking, 'cancelled', { refund }) })
    this.places.serve(sailing)
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

  private refuseDeparted (sailing: Sailing): void {
    if (this.now >= sailing.departs) throw conflict('departed')
  }

  private shown (booking: Booking): Booking {
    if (booking.state !== 'waiting') return booking
    const waiting = this.store.bookingsOn(booking.sailing).filter(({ state }) => state === 'waiting')
    return { ...booking, position: waiting.findIndex(({ id }) => id === booking.id) + 1 } as Booking
  }
}
