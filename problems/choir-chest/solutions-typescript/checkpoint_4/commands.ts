// The commands: each takes the store and its arguments, and returns what to print.

import * as fs from 'fs'
import { dirname, join } from 'path'

import { acceptSeal, readBundle, sealed } from './bundles'
import { readText } from './inputs'
import { JOURNAL } from './journal'
import { fillGaps, FORMS, readRecord } from './letters'
import { isOpen, lockOf, opens } from './locks'
import { compareCodes, normalPath } from './paths'
import { runPrinter } from './printer'
import { parseQuestion } from './questions'
import { Refusal } from './refusal'
import type { Sheet, Store } from './store'

interface Command {
  /** Number of its arguments. */
  count: number
  run: (store: Store, args: string[]) => string | Buffer
}

function take (store: Store, [bundle]: string[]): string {
  const text = readText(bundle)
  const key = process.env.CHEST_KEY ?? ''
  const sheets = readBundle(key === '' ? text : acceptSeal(text, key), store.sheets)
  for (const [path, text] of sheets) store.sheets.set(path, { text })
  store.save()
  return `taken: ${sheets.size}\n`
}

function seal (_: Store, [bundle]: string[]): string {
  const key = process.env.CHEST_KEY ?? ''
  if (key === '') throw new Refusal('no key')
  return sealed(readText(bundle), key)
}

function sorted (store: Store): Array<[string, Sheet]> {
  return [...store.sheets].sort(([one], [other]) => compareCodes(one, other))
}

function list (store: Store): string {
  return sorted(store).map(([path, { lock }]) => path + (lock === undefined ? '\n' : ' (locked)\n')).join('')
}

/** The text of a sheet that is open. */
function show (store: Store, [path]: string[]): string {
  const sheet = store.sheet(normalPath(path))
  if (!isOpen(sheet)) throw new Refusal('locked')
  return sheet.text
}

function drop (store: Store, [path]: string[]): string {
  show(store, [path])
  store.sheets.delete(normalPath(path))
  store.save()
  return 'dropped: 1\n'
}

function lock (store: Store, [path]: string[]): string {
  const { sheet, word } = forLock(store, path)
  if (sheet.lock !== undefined) throw new Refusal('locked already')
  sheet.lock = lockOf(word)
  store.save()
  return 'locked: 1\n'
}

function unlock (store: Store, [path]: string[]): string {
  const { sheet } = forLock(store, path)
  if (sheet.lock === undefined) throw new Refusal('not locked')
  delete sheet.lock
  store.save()
  return 'unlocked: 1\n'
}

/** A sheet that the word may lock or unlock, and the word. */
function forLock (store: Store, path: string): { sheet: Sheet, word: string } {
  const sheet = store.sheet(normalPath(path))
  const word = process.env.CHEST_WORD ?? ''
  if (word === '') throw new Refusal('no word')
  if (sheet.lock !== undefined && !opens(word, sheet.lock)) throw new Refusal('locked')
  return { sheet, word }
}

function journal (store: Store): string {
  return store.load(JOURNAL).map((line: string, index) => `${index + 1} ${line}\n`).join('')
}

function copy (store: Store, [out]: string[]): string {
  if (fs.existsSync(out) && !(fs.statSync(out).isDirectory() && fs.readdirSync(out).length === 0)) {
    throw new Refusal('folder not empty')
  }
  fs.mkdirSync(out, { recursive: true })
  const open = [...store.sheets].filter(([, sheet]) => isOpen(sheet))
  for (const [path, { text }] of open) {
    const file = join(out, path)
    fs.mkdirSync(dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  return `copied: ${open.length}\n`
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
  const found = sorted(store).filter(([path, sheet]) => isOpen(sheet) && holds({ path, text: sheet.text }))
  return found.map(([path]) => path + '\n').join('')
}

export const COMMANDS = new Map<string, Command>([
  ['take', { count: 1, run: take }],
  ['list', { count: 0, run: list }],
  ['show', { count: 1, run: show }],
  ['drop', { count: 1, run: drop }],
  ['copy', { count: 1, run: copy }],
  ['fill', { count: 3, run: fill }],
  ['print', { count: 2, run: print }],
  ['find', { count: 1, run: find }],
  ['seal', { count: 1, run: seal }],
  ['lock', { count: 1, run: lock }],
  ['unlock', { count: 1, run: unlock }],
  ['journal', { count: 0, run: journal }]
])
