// The places of the sailings: who takes them, and what is free.

import type { Room, Sailing } from './bookings'
import type { Store } from './store'

export class Places {
  constructor (private readonly store: Store) {}

  taken (sailing: Sailing): Room {
    const taken = { persons: 0, metres: 0 }
    for (const booking of this.store.bookingsOn(sailing.id)) {
      if (booking.state !== 'booked') continue
      taken.persons += booking.persons
      taken.metres += booking.metres
    }
    return taken
  }

  free (sailing: Sailing): Room {
    const taken = this.taken(sailing)
    return { persons: sailing.persons - taken.persons, metres: sailing.metres - taken.metres }
  }
}
