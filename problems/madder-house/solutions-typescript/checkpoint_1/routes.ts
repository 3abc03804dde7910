// The requests of the service: what each takes, does and answers.

import { Refusal, wrongField } from './faults'
import { type Field, MOST_GRAMS, name, number, parseObject, parts, readFields, type Values } from './fields'
import type { StoreRoom } from './storeroom'

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

type Handler = (room: StoreRoom, call: Call) => Reply | Promise<Reply>

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

function ok (body: object): Reply {
  return { status: 200, body }
}

const ROUTES: Route[] = [
  {
    method: 'POST',
    pattern: '/dyes',
    fields: [{ name: 'id', check: name }, { name: 'grams', check: number(0, MOST_GRAMS) }],
    handle: (room, { fields }) => ({ status: 201, body: room.add(fields.id, fields.grams) })
  },
  { method: 'GET', pattern: '/dyes', handle: room => ok({ dyes: room.dyes() }) },
  { method: 'GET', pattern: '/dyes/ID', handle: (room, { id }) => ok(room.dye(id)) },
  { method: 'POST', pattern: '/dyes/ID/refill', fields: [GRAMS], handle: (room, { id, fields }) => ok(room.refill(id, fields.grams)) },
  {
    method: 'POST',
    pattern: '/dyes/ID/weigh',
    fields: WEIGH_FIELDS,
    handle: async (room, { id, fields }) => ok(await room.weigh({ [id]: fields.grams }, null, fields.ms))
  },
  {
    method: 'POST',
    pattern: '/mixtures',
    fields: MIX_FIELDS,
    handle: async (room, { fields }) => {
      if (Object.hasOwn(fields.parts, fields.into)) throw wrongField('into')
      return ok(await room.weigh(fields.parts, fields.into, fields.ms))
    }
  },
  { method: 'GET', pattern: '/entries', handle: room => ok({ entries: room.entries }) }
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

export async function answer (room: StoreRoom, request: Request): Promise<Reply> {
  try {
    const { route, id } = findRoute(request)
    const fields = route.fields === undefined ? {} : readFields(parseObject(request.body), route.fields)
    return await route.handle(room, { id, fields, parameters: {} as Values })
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body }
    throw error
  }
}
