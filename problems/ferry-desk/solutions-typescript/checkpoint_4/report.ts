// The report of the accountant: places and income of each sailing.

import type { Booking, Sailing } from './bookings'
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
  const kept = keptOfCancelled(state)
  const rows = sailings.map(({ id }) => {
    const bookings = state.bookingsOn(id)
    const keptHere = sum(bookings, booking => kept.get(booking.id) ?? 0)
    return rowOf(id, bookings, keptHere)
  })
  return { at: state.history.length, income: sum(rows, ({ income }) => income), sailings: rows }
}

function sum<T> (things: T[], of: (thing: T) => number): number {
  return things.reduce((sum, thing) => sum + of(thing), 0)
}

function rowOf (id: string, bookings: Booking[], kept: number): Row {
  const booked = bookings.filter(({ state }) => state === 'booked')
  const held = bookings.filter(({ state }) => state === 'held')
  return {
    id,
    booked_persons: sum(booked, ({ persons }) => persons),
    booked_metres: sum(booked, ({ metres }) => metres),
    held_persons: sum(held, ({ persons }) => persons),
    held_metres: sum(held, ({ metres }) => metres),
    waiting: bookings.filter(({ state }) => state === 'waiting').length,
    income: kept + sum(booked, ({ price }) => price)
  }
}

/** The parts of prices that were not paid back, by booking. Only who had booked had paid. */
function keptOfCancelled ({ history }: State): Map<string, number> {
  const kept = new Map<string, number>()
  const paid = new Set<string>()
  for (const entry of history) {
    if (entry.kind !== 'booking') continue
    const { id, state, price, refund = 0 } = entry.value
    if (state === 'booked') paid.add(id)
    if (state === 'cancelled' && paid.has(id)) kept.set(id, price - refund)
  }
  return kept
}
