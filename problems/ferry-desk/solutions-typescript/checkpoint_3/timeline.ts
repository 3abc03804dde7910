// What time brings: holds end, and departures are missed.

import { moved, type Booking } from './bookings'
import type { Places } from './places'
import type { Store } from './store'

interface Event { minute: number, booking: Booking }

/** Moves the clock. Everything that falls due happens with the clock at its own minute. */
export function moveClock (store: Store, places: Places, minute: number): void {
  let event = nextEvent(store)
  while (event !== undefined && event.minute <= minute) {
    store.put({ kind: 'clock', value: event.minute })
    endWaitingOrHold(store, places, event.booking)
    event = nextEvent(store)
  }
  store.put({ kind: 'clock', value: minute })
}

/** The first event that is due at some time. */
function nextEvent (store: Store): Event | undefined {
  let next: Event | undefined
  for (const booking of store.bookings.values()) {
    const minute = dueMinute(store, booking)
    if (minute !== undefined && (next === undefined || minute < next.minute)) next = { minute, booking }
  }
  return next
}

function dueMinute (store: Store, booking: Booking): number | undefined {
  if (booking.state === 'held') return booking.held_until
  return booking.state === 'waiting' ? store.sailings.get(booking.sailing)?.departs : undefined
}

function endWaitingOrHold (store: Store, places: Places, booking: Booking): void {
  if (booking.state === 'waiting') {
    store.put({ kind: 'booking', value: moved(booking, 'missed'), what: 'booking-missed' })
    return
  }
  const lapsed = moved(booking, 'lapsed', { lapsed_at: store.clock })
  store.put({ kind: 'booking', value: lapsed, what: 'booking-lapsed' })
  places.serve(store.sailings.get(booking.sailing)!)
}
