// Versions of sailings and bookings, as they are written in headers.

import { Refusal } from './errors'
import type { Request, Route } from './routing'

export function tag (version: number): string {
  return `"${version}"`
}

/** The version that a request is meant for, if it names one and the route looks at it. */
export function readVersion ({ headers }: Request, { versioned }: Route): number | undefined {
  if (versioned === undefined) return undefined
  const header = headers['if-match']
  if (header === undefined) {
    if (versioned === 'needed') throw new Refusal(428, 'need-version')
    return undefined
  }
  const match = /^"([1-9][0-9]{0,8})"$/.exec(header)
  if (match === null) throw new Refusal(400, 'bad-version')
  return Number(match[1])
}
