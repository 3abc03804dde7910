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
  withdrawn_at?: number
}

export interface Fares { from: number, person_fare: number, metre_fare: number }

/** The sailing of a booking, or those of a journey. */
interface Route { sailing?: string, legs?: string[] }

export interface Order extends Room, Route {
  name: string
  hold?: number
  wait: boolean
}

export const STATES = ['booked', 'held', 'waiting', 'cancelled', 'lapsed', 'missed', 'withdrawn'] as const

export type State = typeof STATES[number]

export interface Booking extends Room, Route {
  id: string
  name: string
  hold?: number
  price: number
  leg_prices?: number[]
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
    (sailing === undefined || legsOf(booking).includes(sailing))
}

export function numberOf (booking: Booking): number {
  return Number(booking.id.slice(1))
}

/** The ids of all sailings of a booking. */
export function legsOf ({ sailing, legs }: Route): string[] {
  return legs ?? [sailing ?? '']
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

/** The booking at the present fares of its sailings. */
export function priced (booking: Booking, sailings: Sailing[]): Booking {
  const prices = sailings.map(sailing => priceOf(booking, sailing))
  if (booking.legs === undefined) return { ...booking, price: prices[0] }
  const legPrices = prices.map(price => price - Math.floor(price / 10))
  return { ...booking, leg_prices: legPrices, price: legPrices.reduce((sum, price) => sum + price, 0) }
}

/** The price of each leg. */
export function pricesOf (booking: Booking): number[] {
  return booking.leg_prices ?? [booking.price]
}

/** What is paid back if the booking is cancelled now. */
export function refundOf (booking: Booking, departs: number, now: number): number {
  if (booking.state !== 'booked') return 0
  if (departs - now >= FULL_REFUND_MINUTES) return booking.price
  return pricesOf(booking).reduce((sum, price) => sum + Math.floor(price / 2), 0)
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
