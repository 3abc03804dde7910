// Requests, replies, and which route answers a request.

import { Refusal } from './errors'
import type { Field } from './fields'
import type { Studio } from './studio'

export interface Request { method: string, path: string, query: string, body: Buffer }

export interface Reply { status: number, body: object }

/** What a handler knows of a request. Everything in it that could be wrong is checked. */
export interface Call { id: string, fields: any, parameters: Record<string, string> }

export interface Route {
  method: string
  pattern: string
  handle: (studio: Studio, call: Call) => Reply
  /** Fields of the body, which is ignored without them. */
  fields?: Field[]
  parameters?: Field[]
}

export function makeRequest (method: string, url: string, body: Buffer): Request {
  const [path, query = ''] = url.split(/\?(.*)/s)
  return { method, path, query, body }
}

/** The route of a request, and the id in its path if there is one. */
export function findRoute (routes: Route[], request: Request): { route: Route, id: string } {
  const parts = request.path.split('/')
  const known = routes.filter(({ pattern }) => matches(pattern.split('/'), parts))
  if (known.length === 0) throw new Refusal(404, 'unknown-path')
  const route = known.find(({ method }) => method === request.method)
  if (route === undefined) throw new Refusal(405, 'unknown-method')
  return { route, id: parts[2] ?? '' }
}

function matches (pattern: string[], parts: string[]): boolean {
  return pattern.length === parts.length &&
    pattern.every((wanted, at) => wanted === 'ID' ? parts[at] !== '' : wanted === parts[at])
}
