// The commands: their words, and what they do in a session.

import * as checks from './checks'
import { NotUnderstood, Refused } from './errors'
import type { Change } from './logformat'
import type { Entry, Selection, Source } from './records'
import type { Session } from './session'
import { differences, type Difference } from './versions'

export interface Arguments { words: string[], options: Map<string, string> }

export interface Command {
  run: (session: Session, args: Arguments) => string[]
  /** The number of words after the name. */
  words: number
  /** Options with a value. */
  options?: string[]
  flags?: string[]
  /** Whether the last word can be any text, with spaces in a batch. */
  isLastText?: boolean
}

function present (source: Source, key: string): string {
  const value = source.get(key)
  if (value === undefined) throw new Refused(`no record ${key}`)
  return value
}

/** The content to read: that of the session, or a version. */
function sourceOf (session: Session, options: Map<string, string>): Source {
  const version = optional(options, '--as-of', checks.version)
  return version === undefined ? session.store : session.logStore.asOf(version)
}

function put (session: Session, { words }: Arguments): string[] {
  const key = checks.key(words[0])
  const value = checks.value(words[1])
  const { store } = session
  const isKnown = store.get(key) !== undefined
  store.write([[key, value]])
  return [isKnown ? `replaced ${key}` : `stored ${key}`]
}

function get (session: Session, { words, options }: Arguments): string[] {
  const key = checks.key(words[0])
  return [present(sourceOf(session, options), key)]
}

function remove (session: Session, { words }: Arguments): string[] {
  const key = checks.key(words[0])
  const { store } = session
  present(store, key)
  store.write([[key, undefined]])
  return [`deleted ${key}`]
}

function optional<T> (options: Map<string, string>, name: string, check: (text: string) => T): T | undefined {
  const text = options.get(name)
  return text === undefined ? undefined : check(text)
}

function selectionOf (options: Map<string, string>): Selection {
  const prefix = optional(options, '--prefix', checks.prefix)
  const from = optional(options, '--from', checks.key)
  const to = optional(options, '--to', checks.key)
  if (from !== undefined && to !== undefined && from > to) throw new Refused('bad range')
  return { prefix, from, to }
}

function scan (session: Session, { options }: Arguments): string[] {
  const selection = selectionOf(options)
  const limit = optional(options, '--limit', checks.limit)
  const records = sourceOf(session, options).select(selection)
  if (options.has('--reverse')) records.reverse()
  return recordLines(records.slice(0, limit))
}

function count (session: Session, { options }: Arguments): string[] {
  const selection = selectionOf(options)
  return [`records: ${sourceOf(session, options).select(selection).length}`]
}

function recordLines (records: Entry[]): string[] {
  return [...records.map(([key, value]) => `${key}\t${value}`), `records: ${records.length}`]
}

function verify ({ folder }: Session): string[] {
  const { changes, last } = folder.verify()
  return [`sound: ${changes.length} records, last ${last}`]
}

function repair ({ folder }: Session): string[] {
  const { changes, fault } = folder.repair()
  if (fault === undefined) return ['nothing to repair']
  return [`repaired: kept ${changes.length} records, dropped ${fault.excessBytes} bytes`]
}

function history (session: Session, { words, options }: Arguments): string[] {
  const key = checks.key(words[0])
  const limit = optional(options, '--limit', checks.limit)
  const changes = session.logStore.history(key)
  if (changes.length === 0) throw new Refused(`no record ${key}`)
  const lines = changes.map(changeLine).slice(-(limit ?? changes.length))
  return [...lines, `versions: ${lines.length}`]
}

function changeLine ({ sequence, value }: Change): string {
  return value === undefined ? `${sequence} del` : `${sequence} put ${value}`
}

function diff (session: Session, { words }: Arguments): string[] {
  const [before, after] = words.map(checks.version)
  const { logStore } = session
  const lines = differences(logStore.asOf(before), logStore.asOf(after)).map(differenceLine)
  return [...lines, `changes: ${lines.length}`]
}

function differenceLine ({ key, before, after }: Difference): string {
  if (before === undefined) return `+ ${key}\t${after}`
  return after === undefined ? `- ${key}\t${before}` : `~ ${key}\t${after}`
}

function restore (session: Session, { words }: Arguments): string[] {
  const key = checks.key(words[0])
  const version = checks.version(words[1])
  const value = session.logStore.asOf(version).get(key)
  if (value === undefined) throw new Refused(`no record ${key} at ${version}`)
  if (value === session.store.get(key)) return [`unchanged ${key}`]
  session.store.write([[key, value]])
  return [`restored ${key}`]
}

const RANGE = ['--prefix', '--from', '--to']

const COMMANDS = new Map<string, Command>([
  ['put', { run: put, words: 2, isLastText: true }],
  ['get', { run: get, words: 1, options: ['--as-of'] }],
  ['delete', { run: remove, words: 1 }],
  ['scan', { run: scan, words: 0, options: [...RANGE, '--limit', '--as-of'], flags: ['--reverse'] }],
  ['count', { run: count, words: 0, options: [...RANGE, '--as-of'] }],
  ['migrate', { run: ({ folder }) => [`migrated ${folder.migrate()} records`], words: 0 }],
  ['verify', { run: verify, words: 0 }],
  ['repair', { run: repair, words: 0 }],
  ['version', { run: ({ logStore }) => [`version ${logStore.last}`], words: 0 }],
  ['history', { run: history, words: 1, options: ['--limit'] }],
  ['diff', { run: diff, words: 2 }],
  ['restore', { run: restore, words: 2 }]
])

/** The command that words name, and its arguments. */
export function understand ([name, ...words]: string[]): { command: Command, args: Arguments } {
  const command = COMMANDS.get(name)
  if (command === undefined) throw new NotUnderstood(`unknown command ${name}`)
  const args = command.isLastText === true ? { words, options: new Map<string, string>() } : readArguments(command, words)
  if (args.words.length !== command.words) throw new NotUnderstood(`${name} takes ${command.words} arguments`)
  return { command, args }
}

/** The same for a line, in which the last word of some commands can have spaces. */
export function understandLine (line: string): { command: Command, args: Arguments } {
  const words = line.split(' ')
  const command = COMMANDS.get(words[0])
  if (command?.isLastText !== true || words.length <= command.words) return understand(words)
  return understand([...words.slice(0, command.words), words.slice(command.words).join(' ')])
}

function readArguments ({ options: valued = [], flags = [] }: Command, all: string[]): Arguments {
  const words: string[] = []
  const options = new Map<string, string>()
  const rest = [...all]
  while (rest.length > 0) {
    const word = rest.shift()!
    if (!word.startsWith('--')) {
      words.push(word)
      continue
    }
    const value = flags.includes(word) ? '' : rest.shift()
    const isKnown = flags.includes(word) || valued.includes(word)
    if (!isKnown || options.has(word) || value === undefined) throw new NotUnderstood(`bad option ${word}`)
    options.set(word, value)
  }
  return { words, options }
}
