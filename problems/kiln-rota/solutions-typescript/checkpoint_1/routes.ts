// The paths of the service: what each reads, and what it answers.

import { compareCodes, isName, isText, number, oneOf, type Field } from './fields'
import { fire } from './firings'
import { addKiln, showKiln } from './kilns'
import { book } from './pieces'
import type { Reply, Route } from './routing'
import { find, matching } from './studio'
import { moveClock } from './timeline'

const HEAT = number(100, 1400)
const ROOM = number(1, 500)
const RATE = number(1, 50)
const HOLD = number(0, 600)
const DEFAULT_HOLD = 30

const KILN_FIELDS: Field[] = [
  { name: 'id', check: isName },
  { name: 'room', check: ROOM },
  { name: 'max_heat', check: HEAT },
  { name: 'rate', check: RATE }
]

const PIECE_FIELDS: Field[] = [
  { name: 'owner', check: isText },
  { name: 'size', check: ROOM },
  { name: 'heat', check: HEAT }
]

const PIECE_STATE = oneOf('waiting', 'firing', 'fired')

const FIRING_FIELDS: Field[] = [
  { name: 'kiln', check: isName },
  { name: 'heat', check: HEAT },
  { name: 'hold', check: HOLD, default: DEFAULT_HOLD }
]

function ok (body: object): Reply {
  return { status: 200, body }
}

function created (body: object): Reply {
  return { status: 201, body }
}

const CLOCK_ROUTES: Route[] = [
  { method: 'GET', pattern: '/clock', handle: ({ now }) => ok({ now }) },
  {
    method: 'POST',
    pattern: '/clock',
    fields: [{ name: 'by', check: number(0, 100000) }],
    handle: (studio, { fields }) => {
      moveClock(studio, fields.by)
      return ok({ now: studio.now })
    }
  }
]

const KILN_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/kilns',
    fields: KILN_FIELDS,
    handle: (studio, { fields }) => created(showKiln(studio, addKiln(studio, fields)))
  },
  {
    method: 'GET',
    pattern: '/kilns',
    handle: studio => {
      const kilns = [...studio.kilns.values()].sort((a, b) => compareCodes(a.id, b.id))
      return ok({ kilns: kilns.map(kiln => showKiln(studio, kiln)) })
    }
  },
  {
    method: 'GET',
    pattern: '/kilns/ID',
    handle: (studio, { id }) => ok(showKiln(studio, find(studio.kilns, id, 'kiln')))
  }
]

const PIECE_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/pieces',
    fields: PIECE_FIELDS,
    handle: (studio, { fields }) => created(book(studio, fields))
  },
  {
    method: 'GET',
    pattern: '/pieces',
    parameters: [{ name: 'state', check: PIECE_STATE }, { name: 'owner', check: isText }],
    handle: (studio, { parameters }) => ok({ pieces: matching(studio.pieces.values(), parameters) })
  },
  { method: 'GET', pattern: '/pieces/ID', handle: (studio, { id }) => ok(find(studio.pieces, id, 'piece')) }
]

const FIRING_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/firings',
    fields: FIRING_FIELDS,
    handle: (studio, { fields }) => created(fire(studio, fields))
  },
  {
    method: 'GET',
    pattern: '/firings',
    parameters: [{ name: 'kiln', check: isName }],
    handle: (studio, { parameters }) => {
      if (parameters.kiln !== undefined) find(studio.kilns, parameters.kiln, 'kiln')
      return ok({ firings: matching(studio.firings.values(), parameters) })
    }
  },
  { method: 'GET', pattern: '/firings/ID', handle: (studio, { id }) => ok(find(studio.firings, id, 'firing')) }
]

export const ROUTES = [...CLOCK_ROUTES, ...KILN_ROUTES, ...PIECE_ROUTES, ...FIRING_ROUTES]
