// The paths of the service: what each reads, and what it answers.

import { breakKiln, repairKiln } from './breaking'
import { compareCodes, isDigits, isName, isText, listOf, number, oneOf, orNull, type Field } from './fields'
import { cancelFiring, fire } from './firings'
import { entriesAfter } from './history'
import { addKiln, showKiln } from './kilns'
import { addLease, cancelLease, showLease } from './leases'
import { book, cancelPiece, changePiece, DEFAULT_RANK, showPiece } from './pieces'
import { planOf } from './planning'
import { addProgramme } from './programmes'
import type { Reply, Route } from './routing'
import { find, matching } from './studio'
import { moveClock } from './timeline'

const HEAT = number(100, 1400)
const ROOM = number(1, 500)
const RATE = number(1, 50)
const HOLD = number(0, 600)
const RANK = number(1, 9)
const MINUTE = number(0, 10000000)
const DEFAULT_HOLD = 30

const KILN_FIELDS: Field[] = [
  { name: 'id', check: isName },
  { name: 'room', check: ROOM },
  { name: 'max_heat', check: HEAT },
  { name: 'rate', check: RATE },
  { name: 'cooling', check: RATE, optional: true }
]

const STAGE_FIELDS: Field[] = [
  { name: 'heat', check: HEAT },
  { name: 'rate', check: RATE },
  { name: 'hold', check: HOLD }
]

const PROGRAMME_FIELDS: Field[] = [
  { name: 'id', check: isName },
  { name: 'stages', check: listOf(1, 8, STAGE_FIELDS) }
]

const PASS_FIELDS: Field[] = [
  { name: 'heat', check: HEAT },
  { name: 'dry', check: number(0, 20000), optional: true }
]

const PIECE_FIELDS: Field[] = [
  { name: 'owner', check: isText },
  { name: 'size', check: ROOM },
  { name: 'heat', check: HEAT, instead: 'passes' },
  { name: 'rank', check: RANK, default: DEFAULT_RANK },
  { name: 'due', check: MINUTE, optional: true },
  { name: 'passes', check: listOf(1, 5, PASS_FIELDS), optional: true },
  { name: 'after', check: isText, optional: true }
]

const PIECE_CHANGES: Field[] = [
  { name: 'rank', check: RANK, optional: true },
  { name: 'due', check: orNull(MINUTE), optional: true }
]

const PIECE_STATE = oneOf('drying', 'waiting', 'firing', 'fired', 'missed', 'cancelled')
const FIRING_STATE = oneOf(
  'planned', 'firing', 'cooling', 'done', 'empty', 'cancelled', 'stopped', 'failed', 'stranded'
)

const FIRING_FIELDS: Field[] = [
  { name: 'kiln', check: isName },
  { name: 'heat', check: HEAT, instead: 'programme' },
  { name: 'hold', check: HOLD, default: DEFAULT_HOLD, instead: 'programme' },
  { name: 'start', check: MINUTE, optional: true },
  { name: 'programme', check: isName, optional: true },
  { name: 'member', check: isText, optional: true }
]

const LEASE_FIELDS: Field[] = [
  { name: 'member', check: isText },
  { name: 'kiln', check: isName },
  { name: 'from', check: MINUTE },
  { name: 'to', check: MINUTE, above: 'from' }
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
  },
  {
    method: 'GET',
    pattern: '/kilns/ID/plan',
    handle: (studio, { id }) => ok({ plan: planOf(studio, find(studio.kilns, id, 'kiln')) })
  },
  {
    method: 'POST',
    pattern: '/kilns/ID/break',
    handle: (studio, { id }) => {
      const kiln = find(studio.kilns, id, 'kiln')
      breakKiln(studio, kiln)
      return ok(showKiln(studio, kiln))
    }
  },
  {
    method: 'POST',
    pattern: '/kilns/ID/repair',
    handle: (studio, { id }) => {
      const kiln = find(studio.kilns, id, 'kiln')
      repairKiln(studio, kiln)
      return ok(showKiln(studio, kiln))
    }
  }
]

const PROGRAMME_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/programmes',
    fields: PROGRAMME_FIELDS,
    handle: (studio, { fields }) => created(addProgramme(studio, fields))
  },
  {
    method: 'GET',
    pattern: '/programmes',
    handle: studio => ok({
      programmes: [...studio.programmes.values()].sort((a, b) => compareCodes(a.id, b.id))
    })
  },
  {
    method: 'GET',
    pattern: '/programmes/ID',
    handle: (studio, { id }) => ok(find(studio.programmes, id, 'programme'))
  }
]

const PIECE_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/pieces',
    fields: PIECE_FIELDS,
    handle: (studio, { fields }) => created(showPiece(book(studio, fields)))
  },
  {
    method: 'GET',
    pattern: '/pieces',
    parameters: [{ name: 'state', check: PIECE_STATE }, { name: 'owner', check: isText }],
    handle: (studio, { parameters }) => ok({
      pieces: matching(studio.pieces.values(), parameters).map(showPiece)
    })
  },
  {
    method: 'GET',
    pattern: '/pieces/ID',
    handle: (studio, { id }) => ok(showPiece(find(studio.pieces, id, 'piece')))
  },
  {
    method: 'PATCH',
    pattern: '/pieces/ID',
    fields: PIECE_CHANGES,
    handle: (studio, { id, fields }) => {
      const piece = find(studio.pieces, id, 'piece')
      changePiece(studio, piece, fields)
      return ok(showPiece(piece))
    }
  },
  {
    method: 'POST',
    pattern: '/pieces/ID/cancel',
    handle: (studio, { id }) => {
      const piece = find(studio.pieces, id, 'piece')
      cancelPiece(studio, piece)
      return ok(showPiece(piece))
    }
  }
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
    parameters: [{ name: 'kiln', check: isName }, { name: 'state', check: FIRING_STATE }],
    handle: (studio, { parameters }) => {
      if (parameters.kiln !== undefined) find(studio.kilns, parameters.kiln, 'kiln')
      return ok({ firings: matching(studio.firings.values(), parameters) })
    }
  },
  { method: 'GET', pattern: '/firings/ID', handle: (studio, { id }) => ok(find(studio.firings, id, 'firing')) },
  {
    method: 'POST',
    pattern: '/firings/ID/cancel',
    handle: (studio, { id }) => {
      const firing = find(studio.firings, id, 'firing')
      cancelFiring(studio, firing)
      return ok(firing)
    }
  }
]

const LEASE_ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/leases',
    fields: LEASE_FIELDS,
    handle: (studio, { fields }) => created(showLease(studio, addLease(studio, fields)))
  },
  {
    method: 'GET',
    pattern: '/leases',
    parameters: [{ name: 'kiln', check: isName }, { name: 'member', check: isText }],
    handle: (studio, { parameters }) => ok({
      leases: matching(studio.leases.values(), parameters).map(lease => showLease(studio, lease))
    })
  },
  {
    method: 'GET',
    pattern: '/leases/ID',
    handle: (studio, { id }) => ok(showLease(studio, find(studio.leases, id, 'lease')))
  },
  {
    method: 'POST',
    pattern: '/leases/ID/cancel',
    handle: (studio, { id }) => {
      const lease = find(studio.leases, id, 'lease')
      cancelLease(studio, lease)
      return ok(showLease(studio, lease))
    }
  }
]

const HISTORY_ROUTES: Route[] = [
  {
    method: 'GET',
    pattern: '/history',
    parameters: [{ name: 'id', check: isText }, { name: 'after', check: isDigits }],
    handle: (studio, { parameters: { id, after = 0 } }) => ok({ history: entriesAfter(studio, Number(after), id) })
  }
]

export const ROUTES = [
  ...CLOCK_ROUTES,
  ...KILN_ROUTES,
  ...PROGRAMME_ROUTES,
  ...PIECE_ROUTES,
  ...FIRING_ROUTES,
  ...LEASE_ROUTES,
  ...HISTORY_ROUTES
]
