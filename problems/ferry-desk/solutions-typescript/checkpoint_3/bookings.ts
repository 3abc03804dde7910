// What sailings and bookings are: their states and prices.

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
  hold?: number
  wait: boolean
}

export const STATES = ['booked', 'held', 'waiting', 'cancelled', 'lapsed', 'missed'] as const

export type State = typeof STATES[number]

export interface Booking extends Room {
  id: string
  sailing: string
  name: string
  hold?: number
  price: number
  booked_at: number
  state: State
  held_until?: number
  promoted_at?: number
  lapsed_at?: number
  refund?: number
}

/** Which bookings are wanted. */
export interface Selection { sailing?: string, state?: string }

export function isWanted (booking: Booking, { sailing, state }: Selection): boolean {
  return (state === undefined || booking.state === state) &&
    (sailing === undefined || booking.sailing === sailing)
}

export function numberOf (booking: Booking): number {
  return Number(booking.id.slice(1))
}

export function takesPlaces ({ state }: Booking): boolean {
  return state === 'booked' || state === 'held'
}

export function isOpen (booking: Booking): boolean {
  return takesPlaces(booking) || booking.state === 'waiting'
}

export function fits (wanted: Room, free: Room): boolean {
  return wanted.persons <= free.persons && wanted.metres <= free.metres
}

export function priceOf ({ persons, metres }: Room, sailing: Sailing): number {
  return persons * sailing.person_fare + metres * sailing.metre_fare
}

/** What is paid back if the booking is cancelled now. */
export function refundOf (booking: Booking, departs: number, now: number): number {
  if (booking.state !== 'booked') return 0
  return departs - now >= FULL_REFUND_MINUTES ? booking.price : Math.floor(booking.price / 2)
}

/** The booking as it is when it gets its places now. */
export function withPlaces (booking: Booking, departs: number, now: number): Booking {
  if (booking.hold === undefined) return { ...booking, state: 'booked' }
  return { ...booking, state: 'held', held_until: Math.min(now + booking.hold, departs) }
}

/** The booking in another state. Its hold, if it had one, is over. */
export function moved (booking: Booking, state: State, more: Partial<Booking> = {}): Booking {
  const { held_until: _, ...rest } = booking
  return { ...rest, ...more, state }
}
