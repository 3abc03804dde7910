// The commands: each takes the store and its arguments, and returns what to print.

import * as fs from 'fs'
import { dirname, join } from 'path'

import { readBundle } from './bundles'
import { readText } from './inputs'
import { fillGaps, FORMS, readRecord } from './letters'
import { compareCodes, normalPath } from './paths'
import { runPrinter } from './printer'
import { parseQuestion } from './questions'
import { Refusal } from './refusal'
import type { Store } from './store'

interface Command {
  /** Number of its arguments. */
  count: number
  run: (store: Store, args: string[]) => string | Buffer
}

function take (store: Store, [bundle]: string[]): string {
  const sheets = readBundle(readText(bundle), store.sheets)
  for (const [path, text] of sheets) store.sheets.set(path, text)
  store.save()
  return `taken: ${sheets.size}\n`
}

function list (store: Store): string {
  return [...store.sheets.keys()].sort(compareCodes).map(path => path + '\n').join('')
}

/** The text of a sheet. */
function show (store: Store, [path]: string[]): string {
  return store.sheet(normalPath(path))
}

function drop (store: Store, [path]: string[]): string {
  store.sheet(normalPath(path))
  store.sheets.delete(normalPath(path))
  store.save()
  return 'dropped: 1\n'
}

function copy (store: Store, [out]: string[]): string {
  if (fs.existsSync(out) && !(fs.statSync(out).isDirectory() && fs.readdirSync(out).length === 0)) {
    throw new Refusal('folder not empty')
  }
  fs.mkdirSync(out, { recursive: true })
  for (const [path, text] of store.sheets) {
    const file = join(out, path)
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return `copied: ${store.sheets.size}\n`
}

function fill (store: Store, [path, record, form]: string[]): string {
  const text = show(store, [path])
  const write = FORMS.get(form)
  if (write === undefined) throw new Refusal('unknown form')
  return fillGaps(text, readRecord(record), write)
}

function print (store: Store, [path, title]: string[]): Buffer {
  return runPrinter(title, show(store, [path]))
}

function find (store: Store, [question]: string[]): string {
  const holds = parseQuestion(question)
  const found = [...store.sheets].filter(([path, text]) => holds({ path, text }))
  return found.map(([path]) => path).sort(compareCodes).map(path => path + '\n').join('')
}

export const COMMANDS = new Map<string, Command>([
  ['take', { count: 1, run: take }],
  ['list', { count: 0, run: list }],
  ['show', { count: 1, run: show }],
  ['drop', { count: 1, run: drop }],
  ['copy', { count: 1, run: copy }],
  ['fill', { count: 3, run: fill }],
  ['print', { count: 2, run: print }],
  ['find', { count: 1, run: find }]
])
