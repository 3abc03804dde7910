// The report of the accountant: places and income of each sailing.

import { legsOf, pricesOf, type Booking, type Sailing } from './bookings'
import type { State } from './state'

interface Row {
  id: string
  booked_persons: number
  booked_metres: number
  held_persons: number
  held_metres: number
  waiting: number
  income: number
}

export function report (state: State, sailings: Sailing[]): object {
  const unpaid = neverPaid(state)
  const rows = sailings.map(({ id }) => rowOf(id, state.bookingsOn(id), unpaid))
  return { at: state.history.length, income: sum(rows, ({ income }) => income), sailings: rows }
}

function sum<T> (things: T[], of: (thing: T) => number): number {
  return things.reduce((sum, thing) => sum + of(thing), 0)
}

function rowOf (id: string, bookings: Booking[], unpaid: Set<string>): Row {
  const booked = bookings.filter(({ state }) => state === 'booked')
  const held = bookings.filter(({ state }) => state === 'held')
  return {
    id,
    booked_persons: sum(booked, ({ persons }) => persons),
    booked_metres: sum(booked, ({ metres }) => metres),
    held_persons: sum(held, ({ persons }) => persons),
    held_metres: sum(held, ({ metres }) => metres),
    waiting: bookings.filter(({ state }) => state === 'waiting').length,
    income: sum(bookings.filter(booking => !unpaid.has(booking.id)), booking => incomeOf(booking, id))
  }
}

/** What a booking that was paid brings to a sailing. */
function incomeOf (booking: Booking, sailing: string): number {
  const price = pricesOf(booking)[legsOf(booking).indexOf(sailing)]
  if (booking.state === 'booked') return price
  const isKept = booking.state === 'cancelled' && booking.refund !== booking.price
  return isKept ? price - Math.floor(price / 2) : 0
}

/** The bookings that were never booked, only held or waiting. */
function neverPaid ({ history, bookings }: State): Set<string> {
  const unpaid = new Set(bookings.keys())
  for (const entry of history) {
    if (entry.kind === 'booking' && entry.value.state === 'booked') unpaid.delete(entry.value.id)
  }
  return unpaid
}
