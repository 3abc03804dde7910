// The paths of the service: what each reads, asks the line for, and answers.

import { code, number, oneOf, otherThan, text, type Field } from './fields'
import type { Reply, Route } from './routing'

const MINUTE = number(0, 10000000)
const FARE = number(0, 100000)

const CLOCK_FIELDS: Field[] = [{ name: 'now', check: MINUTE }]

const SAILING_FIELDS: Field[] = [
  { name: 'id', check: code },
  { name: 'from', check: text },
  { name: 'to', check: otherThan('from', text) },
  { name: 'departs', check: MINUTE },
  { name: 'persons', check: number(1, 5000) },
  { name: 'metres', check: number(0, 5000) },
  { name: 'person_fare', check: FARE },
  { name: 'metre_fare', check: FARE }
]

const BOOKING_FIELDS: Field[] = [
  { name: 'sailing', check: code },
  { name: 'name', check: text },
  { name: 'persons', check: number(1, 500) },
  { name: 'metres', check: number(0, 100), default: 0 }
]

const STATE = oneOf(['booked', 'cancelled'])

function ok (body: object): Reply {
  return { status: 200, body }
}

function made (path: string, thing: { id: string }): Reply {
  return { status: 201, body: thing, headers: { Location: `${path}/${thing.id}` } }
}

const CLOCK_ROUTES: Route[] = [
  { method: 'GET', pattern: '/clock', handle: line => ok({ now: line.now }) },
  {
    method: 'PUT',
    pattern: '/clock',
    fields: CLOCK_FIELDS,
    handle: (line, { fields }) => {
      line.setClock(fields.now)
      return ok({ now: line.now })
    }
  }
]

const SAILING_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/sailings',
    parameters: { from: text, to: text },
    handle: (line, { parameters }) => ok({ sailings: line.sailings(parameters) })
  },
  {
    method: 'POST',
    pattern: '/sailings',
    fields: SAILING_FIELDS,
    handle: (line, { fields }) => made('/sailings', line.addSailing(fields))
  },
  { method: 'GET', pattern: '/sailings/ID', handle: (line, { id }) => ok(line.sailing(id)) },
  {
    method: 'GET',
    pattern: '/sailings/ID/bookings',
    parameters: { state: STATE },
    handle: (line, { id, parameters }) => ok({ bookings: line.bookingsOf(id, parameters.state) })
  }
]

const BOOKING_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/bookings',
    fields: BOOKING_FIELDS,
    handle: (line, { fields }) => made('/bookings', line.book(fields))
  },
  { method: 'GET', pattern: '/bookings/ID', handle: (line, { id }) => ok(line.booking(id)) },
  { method: 'POST', pattern: '/bookings/ID/cancel', handle: (line, { id }) => ok(line.cancel(id)) }
]

export const ROUTES: Route[] = [...CLOCK_ROUTES, ...SAILING_ROUTES, ...BOOKING_ROUTES]
