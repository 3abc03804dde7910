// Requests, replies, and which route answers a request.

import type { IncomingHttpHeaders } from 'http'

import { notFound, Refusal } from './errors'
import type { Check, Field } from './fields'
import type { Line } from './line'

export interface Request {
  method: string
  path: string
  query: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Reply {
  status: number
  body: object
  headers?: Record<string, string>
}

/** What a handler knows of a request. Everything in it that could be wrong is checked. */
export interface Call {
  /** The id in the path, or an empty text. */
  id: string
  /** The version that the request is meant for, if it names one. */
  version?: number
  parameters: Record<string, string>
  fields: any
}

export interface Route {
  method: string
  pattern: string
  handle: (line: Line, call: Call) => Reply
  /** Fields of the body, which is ignored without them. */
  fields?: Field[]
  parameters?: Record<string, Check>
  /** Whether `If-Match` is allowed or needed. It is ignored otherwise. */
  versioned?: 'allowed' | 'needed'
}

export function makeRequest (method: string, url: string, headers: IncomingHttpHeaders, body: Buffer): Request {
  const [path, query = ''] = url.split(/\?(.*)/s)
  return { method, path, query, headers, body }
}

/** The route of a request, and the id in its path if there is one. */
export function findRoute (routes: Route[], request: Request): { route: Route, id: string } {
  const parts = request.path.split('/')
  const known = routes.filter(({ pattern }) => matches(pattern.split('/'), parts))
  if (known.length === 0) throw notFound('no-such-path')
  const route = known.find(({ method }) => method === request.method)
  if (route === undefined) throw new Refusal(405, 'no-such-method')
  return { route, id: parts[2] ?? '' }
}

function matches (pattern: string[], parts: string[]): boolean {
  return pattern.length === parts.length &&
    pattern.every((wanted, at) => wanted === 'ID' ? parts[at] !== '' : wanted === parts[at])
}
