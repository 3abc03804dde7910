// The rules of the line: what may be booked, amended, cancelled and withdrawn.

import {
  fits, isOpen, isWanted, legsOf, moved, numberOf, priced, refundOf, withPlaces,
  type Booking, type Fares, type Order, type Room, type Sailing, type Selection
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
    const positions = legsOf(booking).map(leg => this.position(booking, leg))
    return { ...booking, ...booking.legs === undefined ? { position: positions[0] } : { positions } }
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
    this.refuseOutOfService([sailing])
    const amended = { ...sailing, ...amendment }
    this.refusePast(amended.departs)
    const taken = this.places.taken(sailing)
    if (!fits(taken, amended)) {
      throw conflict('taken', { taken_persons: taken.persons, taken_metres: taken.metres })
    }
    if (changes(amendment, sailing)) {
      this.store.put({ kind: 'sailing', value: amended, what: 'sailing-changed' })
      this.shortenHolds(id)
      serve(this.store)
    }
    return this.sailing(id)
  }

  withdraw (id: string, version: number | undefined): Sailing {
    const sailing = this.findSailing(id)
    this.refuseStale(id, version)
    if (sailing.withdrawn_at !== undefined) throw conflict('already-withdrawn')
    this.refuseOutOfService([sailing])
    this.store.put({ kind: 'sailing', value: { ...sailing, withdrawn_at: this.now }, what: 'sailing-withdrawn' })
    for (const booking of this.store.bookingsOn(id).filter(isOpen)) {
      const refund = booking.state === 'booked' ? booking.price : 0
      const withdrawn = moved(booking, 'withdrawn', { refund })
      this.store.put({ kind: 'booking', value: withdrawn, what: 'booking-withdrawn' })
    }
    serve(this.store)
    return this.sailing(id)
  }

  planFares (id: string, fares: Fares): Fares[] {
    const sailing = this.findSailing(id)
    this.refuseOutOfService([sailing])
    this.refusePast(fares.from)
    if (fares.from >= sailing.departs) throw conflict('after-departure')
    const others = this.plannedFares(id).filter(({ from }) => from !== fares.from)
    const plan = [...others, fares].sort((a, b) => a.from - b.from)
    this.store.put({ kind: 'plan', value: { id, fares: plan } })
    return plan
  }

  plannedFares (id: string): Fares[] {
    this.findSailing(id)
    return this.store.plans.get(id)?.fares ?? []
  }

  book (order: Order): Booking {
    const sailings = legsOf(order).map(leg => this.findSailing(leg))
    refuseGaps(sailings)
    this.refuseOutOfService(sailings)
    const booking = this.placed(priced(this.ordered(order), sailings), order.wait)
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
    this.refuseClosed(booking)
    const refund = refundOf(booking, this.places.departure(booking), this.now)
    this.store.put({ kind: 'booking', value: moved(booking, 'cancelled', { refund }), what: 'booking-cancelled' })
    serve(this.store)
    return this.booking(id)
  }

  amendBooking (id: string, version: number | undefined, amendment: BookingAmendment): Booking {
    const booking = this.findBooking(id)
    this.refuseStale(id, version)
    this.refuseClosed(booking)
    let amended = { ...booking, ...amendment }
    const lacking = this.places.lacking(amended)
    if (lacking !== undefined && (booking.state !== 'waiting' || !this.places.couldFit(amended))) {
      throw this.full(amended, lacking)
    }
    if (changes(amendment, booking)) {
      if (amended.persons !== booking.persons || amended.metres !== booking.metres) {
        amended = priced(amended, this.places.sailingsOf(amended))
      }
      this.store.put({ kind: 'booking', value: amended, what: 'booking-changed' })
      serve(this.store)
    }
    return this.booking(id)
  }

  /** The booking of an order, before it has places and a price. */
  private ordered ({ wait, ...wanted }: Order): Booking {
    return {
      id: `B${this.store.bookings.size + 1}`,
      ...wanted,
      price: 0,
      booked_at: this.now,
      state: 'waiting'
    }
  }

  /** The booking with places, or waiting for them if that is allowed. */
  private placed (booking: Booking, wait: boolean): Booking {
    const lacking = this.places.lacking(booking)
    if (lacking === undefined) return withPlaces(booking, this.places.departure(booking), this.now)
    if (!wait || !this.places.couldFit(booking)) throw this.full(booking, lacking)
    return booking
  }

  private refuseStale (id: string, version: number | undefined): void {
    const present = this.version(id)
    if (version !== undefined && version !== present) throw stale(present)
  }

  private refusePast (minute: number): void {
    if (minute <= this.now) throw conflict('in-the-past')
  }

  private refuseOutOfService (sailings: Sailing[]): void {
    if (sailings.some(({ withdrawn_at }) => withdrawn_at !== undefined)) throw conflict('withdrawn')
    if (sailings.some(({ departs }) => this.now >= departs)) throw conflict('departed')
  }

  private refuseClosed (booking: Booking): void {
    if (!isOpen(booking)) throw conflict('not-open')
    this.refuseOutOfService(this.places.sailingsOf(booking))
  }

  private full (booking: Booking, lacking: Sailing): Error {
    const { persons, metres } = this.places.free(lacking, booking)
    const leg = booking.legs === undefined ? {} : { sailing: lacking.id }
    return conflict('full', { free_persons: persons, free_metres: metres, ...leg })
  }

  private shortenHolds (sailing: string): void {
    for (const booking of this.store.bookingsOn(sailing)) {
      const departure = this.places.departure(booking)
      if (booking.state !== 'held' || booking.held_until! <= departure) continue
      this.store.put({ kind: 'booking', value: { ...booking, held_until: departure }, what: 'booking-changed' })
    }
  }
}

function refuseGaps (sailings: Sailing[]): void {
  sailings.slice(1).forEach((next, at) => {
    const before = sailings[at]
    if (before.to !== next.from || before.departs >= next.departs) throw conflict('no-connection')
  })
}
