// Batches: requests in a list, as steps of one request.

import { number, text, type Check, type Values } from './fields'
import { makeRequest, type Reply, type Request } from './routing'

export interface Step { send: string, body?: object, version?: number }

/** The answer to a step. */
export interface Result extends Reply { version?: number }

const STEP_CHECKS: Record<string, Check> = {
  send: value => text(value) && String(value).split(' ').length === 2,
  body: isObject,
  version: number(1, 999999999)
}

function isObject (value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The check of the field of that name. */
export function steps (value: unknown): boolean {
  return Array.isArray(value) && value.length >= 1 && value.length <= 50 && value.every(isStep)
}

function isStep (step: Values): boolean {
  return isObject(step) && 'send' in step &&
    Object.entries(step).every(([key, value]) => Object.hasOwn(STEP_CHECKS, key) && STEP_CHECKS[key](value, step))
}

/** The request of a step, with the ids that earlier steps have answered. */
export function requestOf (step: Step, results: Result[]): Request {
  const [method, url] = step.send.split(' ')
  const parts = url.split('/')
  if (parts.length > 2) parts[2] = resolve(parts[2], results)
  const headers = step.version === undefined ? {} : { 'if-match': `"${step.version}"` }
  const body = step.body === undefined ? '' : JSON.stringify(step.body)
  return makeRequest(method, parts.join('/'), headers, Buffer.from(body))
}

function resolve (part: string, results: Result[]): string {
  const [, step] = /^\$([1-9][0-9]?)$/.exec(part) ?? []
  return results[Number(step) - 1]?.body.id ?? part
}
