// The rules of the line: what may be booked and cancelled.

import { fits, priceOf, refundOf, type Booking, type Order, type Sailing } from './bookings'
import { conflict, notFound } from './errors'
import { compareCodes } from './fields'
import { Places } from './places'
import type { Store } from './store'

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
    this.store.put({ kind: 'clock', value: minute })
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
    if (!fits(order, free)) throw conflict('full', { free_persons: free.persons, free_metres: free.metres })
    const booking: Booking = {
      id: `B${this.store.bookings.size + 1}`,
      ...order,
      price: priceOf(order, sailing),
      booked_at: this.now,
      state: 'booked'
    }
    this.store.put({ kind: 'booking', value: booking })
    return booking
  }

  booking (id: string): Booking {
    const booking = this.store.bookings.get(id)
    if (booking === undefined) throw notFound('no-such-booking')
    return booking
  }

  bookingsOf (sailing: string, state?: string): Booking[] {
    this.findSailing(sailing)
    return this.store.bookingsOn(sailing)
      .filter(booking => state === undefined || booking.state === state)
  }

  cancel (id: string): Booking {
    const booking = this.booking(id)
    if (booking.state === 'cancelled') throw conflict('already-cancelled')
    const sailing = this.findSailing(booking.sailing)
    this.refuseDeparted(sailing)
    const refund = refundOf(booking, sailing.departs, this.now)
    const cancelled: Booking = { ...booking, state: 'cancelled', refund }
    this.store.put({ kind: 'booking', value: cancelled })
    return cancelled
  }

  private findSailing (id: string): Sailing {
    const sailing = this.store.sailings.get(id)
    if (sailing === undefined) throw notFound('no-such-sailing')
    return sailing
  }

  private refuseDeparted (sailing: Sailing): void {
    if (this.now >= sailing.departs) throw conflict('departed')
  }
}
