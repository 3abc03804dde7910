// What-ifs: requests that are tried in a copy of the studio.

import { isObject, isRequest, listOf, type Field } from './fields'
import { entriesAfter } from './history'
import { perform } from './performing'
import { ROUTES } from './routes'
import { makeRequest, type Call, type Reply, type Request, type Route } from './routing'
import type { Studio } from './studio'

interface Step { send: string, body?: object }

const STEP_FIELDS: Field[] = [
  { name: 'send', check: isRequest },
  { name: 'body', check: isObject, optional: true }
]

const WHAT_IF: Route = {
  method: 'POST',
  pattern: '/what-if',
  fields: [{ name: 'steps', check: listOf(1, 20, STEP_FIELDS) }],
  handle: tryOut
}

/** All routes, of which this one cannot be a step. */
export const ALL_ROUTES = [...ROUTES, WHAT_IF]

function tryOut (studio: Studio, { fields }: Call): Reply {
  const trial = structuredClone(studio)
  const results = fields.steps.map((step: Step) => {
    const { status, body } = perform(ROUTES, trial, requestOf(step))
    return { status, body: structuredClone(body) }
  })
  const history = entriesAfter(trial, studio.history.length)
  return { status: 200, body: { now: trial.now, results, history }, isTrial: true }
}

function requestOf ({ send, body }: Step): Request {
  const [method, url] = send.split(' ')
  return makeRequest(method, url, Buffer.from(body === undefined ? '' : JSON.stringify(body)))
}
