// The places of the sailings: who takes them, and what is free.

import { fits, takesPlaces, withPlaces, type Booking, type Room, type Sailing } from './bookings'
import type { Store } from './store'

export class Places {
  constructor (private readonly store: Store) {}

  /** What is taken on a sailing, without one of its bookings. */
  taken (sailing: Sailing, without?: Booking): Room {
    const taken = { persons: 0, metres: 0 }
    for (const booking of this.store.bookingsOn(sailing.id)) {
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

  /** Goes once through the waiting list of a sailing, and promotes what fits. */
  serve (sailing: Sailing): void {
    const now = this.store.clock
    if (now >= sailing.departs) return
    for (const booking of this.store.bookingsOn(sailing.id)) {
      if (booking.state !== 'waiting' || !fits(booking, this.free(sailing))) continue
      const promoted = { ...withPlaces(booking, sailing.departs, now), promoted_at: now }
      this.store.put({ kind: 'booking', value: promoted, what: 'booking-promoted' })
    }
  }
}
