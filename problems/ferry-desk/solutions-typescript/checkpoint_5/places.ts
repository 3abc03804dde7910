// The places of the sailings: who takes them, and what is free.

import { fits, legsOf, takesPlaces, withPlaces, type Booking, type Room, type Sailing } from './bookings'
import type { State } from './state'
import type { Store } from './store'

export class Places {
  constructor (private readonly state: State) {}

  /** What is taken on a sailing, without one of its bookings. */
  taken (sailing: Sailing, without?: Booking): Room {
    const taken = { persons: 0, metres: 0 }
    for (const booking of this.state.bookingsOn(sailing.id)) {
      if (!takesPlaces(booking) || booking.id === without?.id) continue
      taken.persons += booking.persons
      taken.metres += booking.metres
    }
    return taken
  }

  free (sailing: Sailing, without?: Booking): Room {
    const taken = this.taken(sailing, without)
    return { persons: sailing.persons - taken.persons, metres: sailing.metres - taken.metres }
  }

  sailingsOf (booking: Booking): Sailing[] {
    return legsOf(booking).map(leg => this.state.sailings.get(leg)!)
  }

  /** The minute in which the first of the sailings departs. */
  departure (booking: Booking): number {
    return Math.min(...this.sailingsOf(booking).map(({ departs }) => departs))
  }

  /** The first sailing on which a booking does not fit. */
  lacking (booking: Booking): Sailing | undefined {
    return this.sailingsOf(booking).find(sailing => !fits(booking, this.free(sailing, booking)))
  }

  /** Whether a booking would fit if nobody else had a place. */
  couldFit (booking: Booking): boolean {
    return this.sailingsOf(booking).every(sailing => fits(booking, sailing))
  }
}

/** Goes once through all bookings that wait, and promotes what fits. */
export function serve (store: Store): void {
  const now = store.clock
  const places = new Places(store)
  for (const booking of store.bookings.values()) {
    if (booking.state !== 'waiting') continue
    const departure = places.departure(booking)
    if (now >= departure || places.lacking(booking) !== undefined) continue
    const promoted = { ...withPlaces(booking, departure, now), promoted_at: now }
    store.put({ kind: 'booking', value: promoted, what: 'booking-promoted' })
  }
}
