// The lines of a log: a header, and frames that contain one entry each.

import * as checks from './checks'
import { checksum } from './crc32'
import { Refused } from './errors'

export const HEADER = 'vault-log 1\n'

const FRAME = /^([1-9][0-9]*) ([0-9a-f]{8}) ([^]+)\n$/
const CHANGE = /^([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))$/s

/** A change of a key, which is deleted if there is no value. */
export interface Change { sequence: number, key: string, value?: string }

export function frame (change: Change): string {
  const payload = Buffer.from(payloadOf(change))
  return `${payload.length} ${checksum(payload)} ${payload.toString()}\n`
}

function payloadOf ({ sequence, key, value }: Change): string {
  return value === undefined ? `${sequence} del ${key}` : `${sequence} put ${key} ${value}`
}

/** The payload of a line, or nothing if the line is not framed. */
export function unframe (line: Buffer): Buffer | undefined {
  const match = FRAME.exec(line.toString('latin1'))
  if (match === null) return undefined
  const [, length, stated, text] = match
  const payload = Buffer.from(text, 'latin1')
  return Number(length) === payload.length && stated === checksum(payload) ? payload : undefined
}

/** The change of a payload, or nothing if it has another form. */
export function parse (payload: Buffer): Change | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload)
    return parseChange(text)
  } catch (error) {
    if (error instanceof Refused || error instanceof TypeError) return undefined
    throw error
  }
}

function parseChange (text: string): Change | undefined {
  const match = CHANGE.exec(text)
  if (match === null) return undefined
  const [, sequence, key, value, deleted] = match
  if (deleted !== undefined) return { sequence: Number(sequence), key: checks.key(deleted) }
  return { sequence: Number(sequence), key: checks.key(key), value: checks.value(value) }
}
