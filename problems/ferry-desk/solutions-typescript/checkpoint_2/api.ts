// Answers requests. Each is on disk as a whole before its answer is given.

import { Refusal } from './errors'
import { parseObject, readFields, readParameters } from './fields'
import { Line } from './line'
import { readKey, Repeats } from './repeats'
import { ROUTES } from './routes'
import { findRoute, type Reply, type Request } from './routing'
import type { Store } from './store'

export class Api {
  private readonly line: Line
  private readonly repeats: Repeats

  constructor (private readonly store: Store) {
    this.line = new Line(store)
    this.repeats = new Repeats(store)
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
    const key = readKey(request)
    const body = route.fields === undefined ? null : parseObject(request.body)
    const earlier = this.repeats.replyTo(key, request, body)
    if (earlier !== undefined) return earlier
    const parameters = readParameters(request.query, route.parameters ?? {})
    const fields = readFields(body ?? {}, route.fields ?? [])
    const reply = route.handle(this.line, { id, parameters, fields })
    this.repeats.remember(key, request, body, reply)
    return reply
  }
}
