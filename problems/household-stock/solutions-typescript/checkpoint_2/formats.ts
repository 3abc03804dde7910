// Files that lots are read from and written to: one reader and one writer for each format.

import * as fs from 'fs'

import { parseLot, type Lot } from './stock'
import { PantryError } from './values'

type Fields = Record<string, string>
/** Takes a file line by line; gives the fields of a lot, or nothing. */
type Reader = (line: string) => Fields | null

const REQUIRED = ['name', 'quantity']
const FIELDS = [...REQUIRED, 'best_before', 'place']

const isBlank = (line: string): boolean => line.trim() === ''

/** Refuses unknown fields, then missing ones; `word` is what the format calls a field. */
function checkKeys (keys: string[], word: string): void {
  const unknown = keys.find(key => !FIELDS.includes(key))
  if (unknown !== undefined) throw new PantryError(`unknown ${word} '${unknown}'`)
  const missing = REQUIRED.find(key => !keys.includes(key))
  if (missing !== undefined) throw new PantryError(`missing ${word} '${missing}'`)
}

/** The cells of a line of comma-separated text. */
function splitCells (line: string): string[] {
  const cells: string[] = []
  const pattern = /(?:"((?:[^"]|"")*)"([^,]*)|([^,]*))(?:,|$)/y
  while (line !== '') {
    const [match, quoted, after, plain] = pattern.exec(line) ?? ['']
    cells.push(quoted === undefined ? plain ?? '' : quoted.replaceAll('""', '"') + after)
    if (!match.endsWith(',') || pattern.lastIndex === 0) break
  }
  return cells
}

/** The first line that it is given names the columns. */
function csvReader (): Reader {
  let columns: string[] | null = null
  return line => {
    const cells = splitCells(line)
    if (columns === null) {
      checkKeys(cells, 'column')
      columns = cells
      return null
    }
    return isBlank(line) ? null : row(columns, cells)
  }
}

function row (columns: string[], cells: string[]): Fields {
  if (cells.length !== columns.length) {
    throw new PantryError(`expected ${columns.length} cells, got ${cells.length}`)
  }
  const pairs = columns.map((key, at) => [key, cells[at]])
  return Object.fromEntries(pairs.filter(([key, cell]) => cell !== '' || REQUIRED.includes(key)))
}

function jsonlReader (): Reader {
  return line => {
    if (isBlank(line)) return null
    const entry = parseObject(line)
    checkKeys(Object.keys(entry), 'key')
    const notText = Object.keys(entry).find(key => typeof entry[key] !== 'string')
    if (notText !== undefined) throw new PantryError(`'${notText}' is not a text`)
    return entry as Fields
  }
}

function parseObject (line: string): Record<string, unknown> {
  let entry: unknown = null
  try {
    entry = JSON.parse(line)
  } catch {}
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new PantryError('not a JSON object')
  }
  return entry as Record<string, unknown>
}

const MARKS: Fields = { '@': 'place', '!': 'best_before' }

function txtReader (): Reader {
  return line => {
    if (isBlank(line) || line.startsWith('#')) return null
    const [quantity, ...words] = line.trim().split(/\s+/)
    const marked = words.filter(word => word[0] in MARKS).map(word => [MARKS[word[0]], word.slice(1)])
    const name = words.filter(word => !(word[0] in MARKS)).join(' ')
    if (name === '') throw new PantryError('missing name')
    return { name, quantity, ...Object.fromEntries(marked) }
  }
}

/** Rows of cells as comma-separated text. */
function table (rows: Array<Array<string | number>>): string {
  const cell = (value: string | number): string => {
    const text = String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map(row => row.map(cell).join(',') + '\n').join('')
}

/** The lot as a file holds it, in the order of its fields; an absent date is left out. */
function fieldsOf (lot: Lot): Fields {
  const dated: Fields = lot.bestBefore === null ? {} : { best_before: lot.bestBefore }
  return { name: lot.name, quantity: `${lot.amount}${lot.unit}`, ...dated, place: lot.place }
}

function writeCsv (lots: Lot[]): string {
  return table([FIELDS, ...lots.map(fieldsOf).map(fields => FIELDS.map(key => fields[key] ?? ''))])
}

function writeJsonl (lots: Lot[]): string {
  const pair = ([key, value]: [string, string]): string => `${JSON.stringify(key)}: ${JSON.stringify(value)}`
  return lots.map(lot => `{${Object.entries(fieldsOf(lot)).map(pair).join(', ')}}\n`).join('')
}

function writeTxt (lots: Lot[], path: string): string {
  return lots.map(lot => {
    if (/\s/.test(lot.place)) throw new PantryError(`cannot write place '${lot.place}' to ${path}`)
    const date = lot.bestBefore === null ? '' : ` !${lot.bestBefore}`
    return `${lot.amount}${lot.unit} ${lot.name} @${lot.place}${date}\n`
  }).join('')
}

interface Format { ending: string, reader: () => Reader, write: (lots: Lot[], path: string) => string }

const FORMATS: Format[] = [
  { ending: '.csv', reader: csvReader, write: writeCsv },
  { ending: '.jsonl', reader: jsonlReader, write: writeJsonl },
  { ending: '.txt', reader: txtReader, write: writeTxt }
]

function formatOf (path: string): Format {
  const format = FORMATS.find(({ ending }) => path.endsWith(ending))
  if (format === undefined) throw new PantryError(`unknown format of ${path}`)
  return format
}

function readText (path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(path)).replace(/\r\n?/g, '\n')
  } catch {
    throw new PantryError(`cannot read ${path}`)
  }
}

/** Hands each lot of a file to `accept`; what goes wrong with one is told with its line. */
export function readLots (path: string, accept: (lot: Lot) => unknown): void {
  const read = formatOf(path).reader()
  readText(path).split('\n').forEach((line, at) => {
    try {
      const fields = read(line)
      if (fields !== null) accept(parseLot(fields.name, fields.quantity, fields.best_before, fields.place))
    } catch (error) {
      throw error instanceof PantryError ? new PantryError(`${path}:${at + 1}: ${error.message}`) : error
    }
  })
}

export function writeLots (lots: Lot[], path: string): void {
  const text = formatOf(path).write(lots, path)
  try {
    fs.writeFileSync(path, text)
  } catch {
    throw new PantryError(`cannot write ${path}`)
  }
}
