// What sailings and bookings are, and what bookings cost.

const FULL_REFUND_MINUTES = 1440

/** Numbers of places for persons and of metres on the car deck. */
export interface Room { persons: number, metres: number }

export interface Sailing extends Room {
  id: string
  from: string
  to: string
  departs: number
  person_fare: number
  metre_fare: number
}

export interface Order extends Room {
  sailing: string
  name: string
}

export type State = 'booked' | 'cancelled'

export interface Booking extends Room {
  id: string
  sailing: string
  name: string
  price: number
  booked_at: number
  state: State
  refund?: number
}

export function fits (wanted: Room, free: Room): boolean {
  return wanted.persons <= free.persons && wanted.metres <= free.metres
}

export function priceOf ({ persons, metres }: Room, sailing: Sailing): number {
  return persons * sailing.person_fare + metres * sailing.metre_fare
}

/** What is paid back if the booking is cancelled now. */
export function refundOf (booking: Booking, departs: number, now: number): number {
  return departs - now >= FULL_REFUND_MINUTES ? booking.price : Math.floor(booking.price / 2)
}
