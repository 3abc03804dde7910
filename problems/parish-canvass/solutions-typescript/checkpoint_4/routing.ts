// Requests, replies, and which route answers a request.

import { notFound, wrongMethod } from './errors'
import type { Office } from './office'
import type { Field, Reader, Values } from './shapes'

export interface Request { method: string, path: string, query: string, body: Buffer }

export interface Reply { status: number, body: object, headers?: Record<string, string> }

/** What a handler knows of a request. Its form is right. */
export interface Call { ids: string[], fields: Values, parameters: Values }

export interface Route {
  method: string
  /** A path in which words in capitals are ids. */
  pattern: string
  handle: (office: Office, call: Call) => Reply
  /** Fields of the body, which is ignored without them. */
  fields?: Field[]
  parameters?: Record<string, Reader>
}

/** The route of a request, and the ids in its path. */
export function findRoute (routes: Route[], request: Request): { route: Route, ids: string[] } {
  const known = routes.flatMap(route => {
    const ids = idsIn(route.pattern.split('/'), request.path.split('/'))
    return ids === undefined ? [] : [{ route, ids }]
  })
  if (known.length === 0) throw notFound('unknown-path')
  const found = known.find(({ route }) => route.method === request.method)
  if (found === undefined) throw wrongMethod(known.map(({ route }) => route.method))
  return found
}

/** The ids in a path, or nothing if it does not match. */
function idsIn (pattern: string[], parts: string[]): string[] | undefined {
  const isId = pattern.map(wanted => /^[A-Z]+$/.test(wanted))
  const matches = pattern.length === parts.length &&
    pattern.every((wanted, index) => isId[index] ? parts[index] !== '' : parts[index] === wanted)
  return matches ? parts.filter((_, index) => isId[index]) : undefined
}
