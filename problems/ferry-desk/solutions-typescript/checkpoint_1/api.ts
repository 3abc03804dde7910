// Answers requests. Each is on disk before its answer is given.

import { Refusal } from './errors'
import { parseObject, readFields, readParameters } from './fields'
import { Line } from './line'
import { ROUTES } from './routes'
import { findRoute, type Reply, type Request } from './routing'
import type { Store } from './store'

export class Api {
  private readonly line: Line

  constructor (private readonly store: Store) {
    this.line = new Line(store)
  }

  answer (request: Request): Reply {
    try {
      const reply = this.perform(request)
      this.store.commit()
      return reply
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: error.body }
    }
  }

  private perform (request: Request): Reply {
    const { route, id } = findRoute(ROUTES, request)
    const body = route.fields === undefined ? {} : parseObject(request.body)
    const parameters = readParameters(request.query, route.parameters ?? {})
    const fields = readFields(body, route.fields ?? [])
    return route.handle(this.line, { id, parameters, fields })
  }
}
