// Answers requests. Each is on disk as a whole before its answer is given.

import { requestOf, type Result, type Step } from './batches'
import { badField, Refusal } from './errors'
import { parseObject, readFields, readParameters } from './fields'
import { Line, type PastLine } from './line'
import { readKey, Repeats } from './repeats'
import { BATCH_FIELDS, ROUTES, STEP_ROUTES } from './routes'
import { findRoute, type Reply, type Request, type Route } from './routing'
import type { Store } from './store'
import { readVersion } from './versions'

export class Api {
  private readonly line: Line
  private readonly repeats: Repeats
  private readonly routes: Route[]

  constructor (private readonly store: Store) {
    this.line = new Line(store)
    this.repeats = new Repeats(store)
    this.routes = [
      ...ROUTES,
      {
        method: 'POST',
        pattern: '/batches',
        fields: BATCH_FIELDS,
        handle: (line, { fields }) => this.runBatch(line, fields.steps)
      }
    ]
  }

  answer (request: Request): Reply {
    try {
      const reply = this.perform(request, this.routes)
      this.store.commit()
      return reply
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.store.rollBack()
      return { status: error.status, body: error.body }
    }
  }

  private perform (request: Request, routes: Route[]): Reply {
    const { route, id } = findRoute(routes, request)
    const key = readKey(request)
    const version = readVersion(request, route)
    const body = route.fields === undefined ? null : parseObject(request.body)
    const earlier = this.repeats.replyTo(key, request, body)
    if (earlier !== undefined) return earlier
    const parameters = readParameters(request.query, route.parameters ?? {})
    const fields = readFields(body ?? {}, route.fields ?? [])
    // Only routes that read, which is all that the past allows, have parameters that lead there.
    const line = this.lineFor(parameters) as Line
    const reply = route.handle(line, { id, version, parameters, fields })
    this.repeats.remember(key, request, body, reply)
    return reply
  }

  /** The line as it is, or as it was at the time that the parameters name. */
  private lineFor ({ at, minute }: Record<string, string>): PastLine {
    if (at !== undefined && minute !== undefined) throw badField('minute')
    if (at !== undefined) return this.line.asOf(Number(at))
    if (minute !== undefined) return this.line.atEndOf(Number(minute))
    return this.line
  }

  private runBatch (line: Line, steps: Step[]): Reply {
    const results: Result[] = []
    for (const step of steps) {
      const { status, body } = this.runStep(step, results)
      const version = body.id === undefined ? undefined : line.version(body.id)
      results.push({ status, body, version })
    }
    return { status: 200, body: { results } as object }
  }

  private runStep (step: Step, results: Result[]): Reply {
    try {
      return this.perform(requestOf(step, results), STEP_ROUTES)
    } catch (error) {
      if (error instanceof Refusal) error.body.step = results.length + 1
      throw error
    }
  }
}
