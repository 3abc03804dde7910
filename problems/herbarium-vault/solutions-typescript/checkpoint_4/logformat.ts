// The lines of a log: a header, and frames that contain one entry each.

import * as checks from './checks'
import { checksum } from './crc32'
import { Refused } from './errors'

export const HEADER = 'vault-log 1\n'

const FRAME = /^([1-9][0-9]*) ([0-9a-f]{8}) ([^]+)\n$/
const CHANGE = /^([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))$/s
const GROUP = /^([1-9][0-9]*) group ([2-9]|[1-9][0-9]+)$/

/** A change of a key, which is deleted if there is no value. */
export interface Change { kind: 'change', sequence: number, key: string, value?: string }

/** The beginning of so many changes of one version. */
export interface Group { kind: 'group', sequence: number, size: number }

export type Entry = Change | Group

function frame (entry: Entry): string {
  const payload = Buffer.from(payloadOf(entry))
  return `${payload.length} ${checksum(payload)} ${payload.toString()}\n`
}

function payloadOf (entry: Entry): string {
  switch (entry.kind) {
    case 'group': return `${entry.sequence} group ${entry.size}`
    case 'change': return entry.value === undefined
      ? `${entry.sequence} del ${entry.key}`
      : `${entry.sequence} put ${entry.key} ${entry.value}`
  }
}

/** The lines of all entries of one version. */
export function framed (entries: Entry[]): string {
  const [{ sequence }] = entries
  const group: Entry[] = entries.length > 1 ? [{ kind: 'group', sequence, size: entries.length }] : []
  return [...group, ...entries].map(frame).join('')
}

/** The payload of a line, or nothing if the line is not framed. */
export function unframe (line: Buffer): Buffer | undefined {
  const match = FRAME.exec(line.toString('latin1'))
  if (match === null) return undefined
  const [, length, stated, text] = match
  const payload = Buffer.from(text, 'latin1')
  return Number(length) === payload.length && stated === checksum(payload) ? payload : undefined
}

/** The entry of a payload, or nothing if it has another form. */
export function parse (payload: Buffer): Entry | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload)
    return parseChange(text) ?? parseGroup(text)
  } catch (error) {
    if (error instanceof Refused || error instanceof TypeError) return undefined
    throw error
  }
}

function parseChange (text: string): Change | undefined {
  const match = CHANGE.exec(text)
  if (match === null) return undefined
  const [, sequence, key, value, deleted] = match
  if (deleted !== undefined) return { kind: 'change', sequence: Number(sequence), key: checks.key(deleted) }
  return { kind: 'change', sequence: Number(sequence), key: checks.key(key), value: checks.value(value) }
}

function parseGroup (text: string): Group | undefined {
  const match = GROUP.exec(text)
  return match === null ? undefined : { kind: 'group', sequence: Number(match[1]), size: Number(match[2]) }
}
