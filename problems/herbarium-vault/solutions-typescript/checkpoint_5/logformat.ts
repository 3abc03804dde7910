// The lines of a log: a header, and frames that contain one entry each.

import * as checks from './checks'
import { checksum } from './crc32'
import { Refused } from './errors'

export const HEADER = 'vault-log 1\n'

const FRAME = /^([1-9][0-9]*) ([0-9a-f]{8}) ([^]+)\n$/
const CHANGE = /^([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))$/s
const NOTE = /^([1-9][0-9]*) (mark|unmark|index|unindex) (.+)$/s
const BASE = /^([1-9][0-9]*) base$/
const GROUP = /^([1-9][0-9]*) group ([2-9]|[1-9][0-9]+)$/

/** A change of a key, which is deleted if there is no value. */
export interface Change { kind: 'change', sequence: number, key: string, value?: string }

/** The beginning of so many changes of one version. */
export interface Group { kind: 'group', sequence: number, size: number }

export type NoteWord = 'mark' | 'unmark' | 'index' | 'unindex'

/** Makes or removes a mark or an index. */
export interface Note { kind: 'note', sequence: number, word: NoteWord, name: string }

/** The version up to which the log is compacted. */
export interface Base { kind: 'base', sequence: number }

const NAME_CHECKS = { mark: checks.mark, unmark: checks.mark, index: checks.path, unindex: checks.path }

export type Entry = Change | Group | Note | Base

function frame (entry: Entry): string {
  const payload = Buffer.from(payloadOf(entry))
  return `${payload.length} ${checksum(payload)} ${payload.toString()}\n`
}

function payloadOf (entry: Entry): string {
  switch (entry.kind) {
    case 'group': return `${entry.sequence} group ${entry.size}`
    case 'note': return `${entry.sequence} ${entry.word} ${entry.name}`
    case 'base': return `${entry.sequence} base`
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
    return parseChange(text) ?? parseNote(text) ?? parseGroup(text) ?? parseBase(text)
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

function parseNote (text: string): Note | undefined {
  const match = NOTE.exec(text)
  if (match === null) return undefined
  const word = match[2] as NoteWord
  return { kind: 'note', sequence: Number(match[1]), word, name: NAME_CHECKS[word](match[3]) }
}

function parseBase (text: string): Base | undefined {
  const match = BASE.exec(text)
  return match === null ? undefined : { kind: 'base', sequence: Number(match[1]) }
}
