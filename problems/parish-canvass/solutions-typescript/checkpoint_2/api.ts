// Answers requests. Each is on disk as a whole before its answer is given.

import { Refusal } from './errors'
import { Office } from './office'
import { ROUTES } from './routes'
import { findRoute, type Reply, type Request } from './routing'
import { readBody, readFields, readParameters } from './shapes'
import type { Store } from './store'

export class Api {
  private readonly office: Office

  constructor (private readonly store: Store) {
    this.office = new Office(store)
  }

  answer (request: Request): Reply {
    try {
      const reply = this.perform(request)
      this.store.commit()
      return reply
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, body, headers } = error
      return { status, body, headers }
    }
  }

  private perform (request: Request): Reply {
    const { route, ids } = findRoute(ROUTES, request)
    const body = route.fields === undefined ? {} : readBody(request.body)
    const parameters = readParameters(request.query, route.parameters ?? {})
    const fields = readFields(route.fields ?? [], body)
    return route.handle(this.office, { ids, fields, parameters })
  }
}
