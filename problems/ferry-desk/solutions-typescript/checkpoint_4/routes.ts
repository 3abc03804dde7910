// The paths of the service: what each reads, asks the line for, and answers.

import { STATES } from './bookings'
import { isCursor, readCursor, writeCursor } from './cursors'
import { steps } from './batches'
import { code, digits, flag, number, oneOf, otherThan, text, type Field } from './fields'
import type { Line } from './line'
import type { Reply, Route } from './routing'
import { tag } from './versions'

const MINUTE = number(0, 10000000)
const FARE = number(0, 100000)
const SAILING_PERSONS = number(1, 5000)
const SAILING_METRES = number(0, 5000)
const PERSONS = number(1, 500)
const METRES = number(0, 100)

const CLOCK_FIELDS: Field[] = [{ name: 'now', check: MINUTE }]

const SAILING_FIELDS: Field[] = [
  { name: 'id', check: code },
  { name: 'from', check: text },
  { name: 'to', check: otherThan('from', text) },
  { name: 'departs', check: MINUTE },
  { name: 'persons', check: SAILING_PERSONS },
  { name: 'metres', check: SAILING_METRES },
  { name: 'person_fare', check: FARE },
  { name: 'metre_fare', check: FARE }
]

const BOOKING_FIELDS: Field[] = [
  { name: 'sailing', check: code },
  { name: 'name', check: text },
  { name: 'persons', check: PERSONS },
  { name: 'metres', check: METRES, default: 0 },
  { name: 'hold', check: number(1, 10080), optional: true },
  { name: 'wait', check: flag, default: false }
]

const SAILING_AMENDMENT: Field[] = [
  { name: 'departs', check: MINUTE, optional: true },
  { name: 'persons', check: SAILING_PERSONS, optional: true },
  { name: 'metres', check: SAILING_METRES, optional: true },
  { name: 'person_fare', check: FARE, optional: true },
  { name: 'metre_fare', check: FARE, optional: true }
]

const BOOKING_AMENDMENT: Field[] = [
  { name: 'name', check: text, optional: true },
  { name: 'persons', check: PERSONS, optional: true },
  { name: 'metres', check: METRES, optional: true }
]

const STATE = oneOf(STATES)
const CHANGE_NUMBER = digits(0, 999999999)
const LIMIT = digits(1, 100)
const AT = { at: CHANGE_NUMBER }

function ok (body: object): Reply {
  return { status: 200, body }
}

/** An answer with one sailing or booking, and its version. */
function one (line: Line, thing: { id: string }): Reply {
  return { status: 200, body: thing, headers: { ETag: tag(line.version(thing.id)) } }
}

function made (line: Line, path: string, thing: { id: string }): Reply {
  const { body, headers } = one(line, thing)
  return { status: 201, body, headers: { ...headers, Location: `${path}/${thing.id}` } }
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
    parameters: { ...AT, from: text, to: text },
    handle: (line, { parameters: { from, to } }) => ok({ sailings: line.sailings({ from, to }) })
  },
  {
    method: 'POST',
    pattern: '/sailings',
    fields: SAILING_FIELDS,
    handle: (line, { fields }) => made(line, '/sailings', line.addSailing(fields))
  },
  {
    method: 'GET',
    pattern: '/sailings/ID',
    parameters: AT,
    handle: (line, { id }) => one(line, line.sailing(id))
  },
  {
    method: 'PATCH',
    pattern: '/sailings/ID',
    fields: SAILING_AMENDMENT,
    versioned: 'needed',
    handle: (line, { id, version, fields }) => one(line, line.amendSailing(id, version, fields))
  },
  {
    method: 'GET',
    pattern: '/sailings/ID/bookings',
    parameters: { ...AT, state: STATE },
    handle: (line, { id, parameters }) => ok({ bookings: line.bookingsOf(id, parameters.state) })
  },
  {
    method: 'GET',
    pattern: '/sailings/ID/waiting',
    parameters: AT,
    handle: (line, { id }) => ok({ bookings: line.waitingList(id) })
  }
]

const BOOKING_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/bookings',
    parameters: { sailing: code, state: STATE, limit: LIMIT, cursor: isCursor },
    handle: (line, { parameters }) => {
      const { sailing, state, limit = 20, cursor } = parameters
      const before = cursor === undefined ? undefined : readCursor(cursor)
      const { bookings, last } = line.page({ sailing, state }, before, Number(limit))
      return ok({ bookings, next: last === undefined ? null : writeCursor(last, { sailing, state }) })
    }
  },
  {
    method: 'POST',
    pattern: '/bookings',
    fields: BOOKING_FIELDS,
    handle: (line, { fields }) => made(line, '/bookings', line.book(fields))
  },
  {
    method: 'GET',
    pattern: '/bookings/ID',
    parameters: AT,
    handle: (line, { id }) => one(line, line.booking(id))
  },
  {
    method: 'PATCH',
    pattern: '/bookings/ID',
    fields: BOOKING_AMENDMENT,
    versioned: 'needed',
    handle: (line, { id, version, fields }) => one(line, line.amendBooking(id, version, fields))
  },
  {
    method: 'POST',
    pattern: '/bookings/ID/confirm',
    versioned: 'allowed',
    handle: (line, { id, version }) => one(line, line.confirm(id, version))
  },
  {
    method: 'POST',
    pattern: '/bookings/ID/cancel',
    versioned: 'allowed',
    handle: (line, { id, version }) => one(line, line.cancel(id, version))
  }
]

const CHANGE_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/changes',
    parameters: { after: CHANGE_NUMBER, limit: LIMIT },
    handle: (line, { parameters: { after = 0, limit = 50 } }) => ok(line.changes(Number(after), Number(limit)))
  },
  {
    method: 'GET',
    pattern: '/report',
    parameters: { ...AT, minute: digits(0, 10000000) },
    handle: line => ok(line.report())
  }
]

export const BATCH_FIELDS: Field[] = [{ name: 'steps', check: steps }]

export const ROUTES: Route[] = [...CLOCK_ROUTES, ...SAILING_ROUTES, ...BOOKING_ROUTES, ...CHANGE_ROUTES]

/** The requests that can be steps of a batch. */
export const STEP_ROUTES = [...SAILING_ROUTES, ...BOOKING_ROUTES].filter(({ method }) => method !== 'GET')
