// The requests of the service: what each takes, does and answers.

import { Refusal, wrongField } from './faults'
import {
  digits, distinctNames, type Field, MOST_GRAMS, name, number, parseObject, parts, readFields, readKnown, type Values
} from './fields'
import type { House } from './house'

export interface Request {
  method: string
  path: string
  query: string
  body: Buffer
}

export interface Reply {
  status: number
  body: object
}

interface Call {
  id: string
  fields: any
  parameters: any
}

type Handler = (house: House, call: Call) => Reply | Promise<Reply>

interface Route {
  method: string
  pattern: string
  handle: Handler
  fields?: Field[]
  parameters?: Field[]
}

const GRAMS: Field = { name: 'grams', check: number(1, MOST_GRAMS) }
const SCALE_MS: Field = { name: 'ms', check: number(0, 5000), default: 0 }
const WEIGH_FIELDS = [GRAMS, SCALE_MS]
const MIX_FIELDS = [{ name: 'parts', check: parts }, { name: 'into', check: name }, SCALE_MS]
const MOST_WAIT_MS = 30000
const WAIT: Field = { name: 'wait', check: digits(MOST_WAIT_MS), default: '0' }
const BATCH_FIELDS: Field[] = [
  { name: 'customer', check: name },
  { name: 'vats', check: distinctNames(1, 4) },
  { name: 'dye', check: name },
  GRAMS,
  { name: 'ms', check: number(1, 60000) }
]

function ok (body: object): Reply {
  return { status: 200, body }
}

const ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/dyes',
    fields: [{ name: 'id', check: name }, { name: 'grams', check: number(0, MOST_GRAMS) }],
    handle: ({ room }, { fields }) => ({ status: 201, body: room.add(fields.id, fields.grams) })
  },
  { method: 'GET', pattern: '/dyes', handle: ({ room }) => ok({ dyes: room.dyes() }) },
  { method: 'GET', pattern: '/dyes/ID', handle: ({ room }, { id }) => ok(room.dye(id)) },
  {
    method: 'POST',
    pattern: '/dyes/ID/refill',
    fields: [GRAMS],
    handle: ({ room }, { id, fields }) => ok(room.refill(id, fields.grams))
  },
  {
    method: 'POST',
    pattern: '/dyes/ID/weigh',
    fields: WEIGH_FIELDS,
    handle: async ({ room }, { id, fields }) => ok(await room.weigh({ [id]: fields.grams }, null, fields.ms))
  },
  {
    method: 'POST',
    pattern: '/mixtures',
    fields: MIX_FIELDS,
    handle: async ({ room }, { fields }) => {
      if (Object.hasOwn(fields.parts, fields.into)) throw wrongField('into')
      return ok(await room.weigh(fields.parts, fields.into, fields.ms))
    }
  },
  { method: 'GET', pattern: '/entries', handle: ({ room }) => ok({ entries: room.entries }) },
  {
    method: 'POST',
    pattern: '/vats',
    fields: [{ name: 'id', check: name }],
    handle: (house, { fields }) => ({ status: 201, body: house.addVat(fields.id) })
  },
  { method: 'GET', pattern: '/vats', handle: house => ok({ vats: house.allVats() }) },
  { method: 'GET', pattern: '/vats/ID', handle: (house, { id }) => ok(house.vat(id)) },
  { method: 'GET', pattern: '/vats/ID/log', handle: (house, { id }) => ok({ log: house.log(id) }) },
  {
    method: 'POST',
    pattern: '/batches',
    fields: BATCH_FIELDS,
    handle: (house, { fields }) => ({ status: 202, body: house.order(fields) })
  },
  { method: 'GET', pattern: '/batches', handle: house => ok({ batches: house.allBatches() }) },
  {
    method: 'GET',
    pattern: '/batches/ID',
    parameters: [WAIT],
    handle: async (house, { id, parameters }) => ok(await house.batch(id, Number(parameters.wait)))
  }
]

/** The route of a request, and the id in its path if there is one. */
function findRoute (request: Request): { route: Route, id: string } {
  const given = request.path.split('/')
  const route = ROUTES.find(({ method, pattern }) => {
    const wanted = pattern.split('/')
    return method === request.method && wanted.length === given.length &&
      wanted.every((part, at) => part === given[at] || (part === 'ID' && given[at] !== ''))
  })
  if (route === undefined) throw new Refusal(404, 'unknown-path')
  return { route, id: given[2] ?? '' }
}

export async function answer (house: House, request: Request): Promise<Reply> {
  try {
    const { route, id } = findRoute(request)
    const parameters = readKnown(Object.fromEntries(new URLSearchParams(request.query)), route.parameters ?? [])
    const fields: Values = route.fields === undefined ? {} : readFields(parseObject(request.body), route.fields)
    return await route.handle(house, { id, fields, parameters })
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body }
    throw error
  }
}
