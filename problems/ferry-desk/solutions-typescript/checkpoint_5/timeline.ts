// What time brings: holds end, and departures are missed.

import { moved, type Booking, type Fares } from './bookings'
import { compareCodes } from './fields'
import { serve } from './places'
import { Places } from './places'
import type { Store } from './store'

interface Event { minute: number, happen: () => void }

/** Moves the clock. Everything that falls due happens with the clock at its own minute. */
export function moveClock (store: Store, minute: number): void {
  let event = nextEvent(store)
  while (event !== undefined && event.minute <= minute) {
    store.put({ kind: 'clock', value: event.minute })
    event.happen()
    event = nextEvent(store)
  }
  store.put({ kind: 'clock', value: minute })
}

/** The first event that is due at some time. In the same minute, fares come before bookings. */
function nextEvent (store: Store): Event | undefined {
  let next: Event | undefined
  for (const event of events(store)) {
    if (next === undefined || event.minute < next.minute) next = event
  }
  return next
}

function * events (store: Store): Generator<Event> {
  const plans = [...store.plans.values()].sort((a, b) => compareCodes(a.id, b.id))
  for (const { id, fares: [fares] } of plans) {
    if (fares !== undefined) yield { minute: fares.from, happen: () => setFares(store, id, fares) }
  }
  const places = new Places(store)
  for (const booking of store.bookings.values()) {
    if (booking.state === 'held') {
      yield { minute: booking.held_until!, happen: () => endHold(store, booking) }
    } else if (booking.state === 'waiting') {
      yield { minute: places.departure(booking), happen: () => endWaiting(store, booking) }
    }
  }
}

function setFares (store: Store, id: string, fares: Fares): void {
  const later = store.plans.get(id)!.fares.slice(1)
  store.put({ kind: 'plan', value: { id, fares: later } })
  const sailing = store.sailings.get(id)!
  if (sailing.withdrawn_at !== undefined || sailing.departs <= fares.from) return
  const { person_fare, metre_fare } = fares
  if (sailing.person_fare === person_fare && sailing.metre_fare === metre_fare) return
  store.put({ kind: 'sailing', value: { ...sailing, person_fare, metre_fare }, what: 'sailing-changed' })
}

function endHold (store: Store, booking: Booking): void {
  const lapsed = moved(booking, 'lapsed', { lapsed_at: store.clock })
  store.put({ kind: 'booking', value: lapsed, what: 'booking-lapsed' })
  serve(store)
}

function endWaiting (store: Store, booking: Booking): void {
  store.put({ kind: 'booking', value: moved(booking, 'missed'), what: 'booking-missed' })
}
