// Requests with a key are carried out once, however often they come.

import { Refusal } from './errors'
import type { Reply, Request } from './routing'
import type { Store } from './store'

const KEY_MINUTES = 1440

/** The first reply to a key, and the request for which it was given. */
export interface FirstReply { key: string, at: number, asked: string, reply: Reply }

/** The key of a request, if it has one. */
export function readKey ({ method, headers }: Request): string | undefined {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (!/^[!-~]{1,64}$/.test(String(key))) throw new Refusal(400, 'bad-key')
  return String(key)
}

export class Repeats {
  constructor (private readonly store: Store) {}

  /** The first answer to a request that is repeated. */
  replyTo (key: string | undefined, request: Request, body: object | null): Reply | undefined {
    const first = this.store.replies.get(key ?? '')
    if (first === undefined || this.store.clock >= first.at + KEY_MINUTES) return undefined
    if (first.asked !== asked(request, body)) throw new Refusal(422, 'key-reused')
    return { ...first.reply, headers: { ...first.reply.headers, 'Idempotent-Replay': 'true' } }
  }

  remember (key: string | undefined, request: Request, body: object | null, reply: Reply): void {
    if (key === undefined) return
    this.store.put({ kind: 'reply', value: { key, at: this.store.clock, asked: asked(request, body), reply } })
  }
}

/** The request as a text that is the same for equal requests only. */
function asked ({ path, query }: Request, body: object | null): string {
  return JSON.stringify([path, query, body], (_key, value) => sorted(value))
}

function sorted (value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
}
