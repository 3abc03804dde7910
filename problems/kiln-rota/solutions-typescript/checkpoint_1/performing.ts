// Does requests. A request that is refused changes nothing.

import { Refusal } from './errors'
import { parseObject, readFields, readParameters } from './fields'
import { ROUTES } from './routes'
import { findRoute, type Reply, type Request } from './routing'
import type { Studio } from './studio'

export function perform (studio: Studio, request: Request): Reply {
  try {
    const { route, id } = findRoute(ROUTES, request)
    const body = route.fields === undefined ? {} : parseObject(request.body)
    const parameters = readParameters(request.query, route.parameters ?? [])
    const fields = readFields(body, route.fields ?? [])
    return route.handle(studio, { id, fields, parameters })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: error.body }
  }
}
