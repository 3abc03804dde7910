// Record files: JSON lines and CSV.

import { csvCells } from './csvlines'
import { at, Fault } from './faults'
import { readLines } from './files'
import { numberOf, type Fields, type Value } from './values'

const MAX_TEXT = 60
const NAME = /^[a-z][a-z0-9_]{0,23}$/
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g

/** Reads a line that is not empty. The first line of a CSV file is not a record. */
type LineReader = (line: string) => Fields | null

export function isName (text: string): boolean {
  return NAME.test(text)
}

/** The records of all files, in their order. */
export function readRecords (paths: string[]): Fields[] {
  return paths.flatMap(path => {
    const read = path.endsWith('.csv') ? csvReader() : jsonRecord
    return readLines(path).flatMap((line, index) => {
      if (line.trim() === '') return []
      return at(`${path}:${index + 1}`, () => read(line)) ?? []
    })
  })
}

function jsonRecord (line: string): Fields {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Fault('not a record')
  return recordOf(taggedMembers(line), jsonValue)
}

function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('not a record')
  }
}

/**
 * The members of an object in the order in which they are written. Texts begin with `t`; numbers
 * are texts, too, as they are written, and begin with `n`.
 */
function taggedMembers (line: string): Array<[string, unknown]> {
  const tagged = line.replace(JSON_TOKEN, token => token.startsWith('"') ? `"t${token.slice(1)}` : `"n${token}"`)
  return Object.entries(JSON.parse(tagged)).map(([name, value]) => [name.slice(1), value])
}

function jsonValue (raw: unknown): Value | undefined {
  if (raw === null) return null
  if (typeof raw !== 'string') return undefined
  const written = raw.slice(1)
  return raw.startsWith('n') ? numberOf(written) ?? undefined : textValue(written)
}

function csvReader (): LineReader {
  let names: string[] | undefined
  return line => {
    const cells = csvCells(line)
    if (cells === null) throw new Fault('not a record')
    if (names === undefined) {
      names = cells
      cells.forEach(checkName)
      return null
    }
    if (cells.length !== names.length) throw new Fault('not a record')
    return recordOf(names.map((name, index) => [name, cells[index]]), csvValue)
  }
}

function csvValue (cell: string): Value | undefined {
  return numberOf(cell) ?? textValue(cell)
}

/** A text, null for the empty one, or undefined if it has a wrong form. */
function textValue (text: string): Value | undefined {
  if ([...text].length > MAX_TEXT || /[\u0000-\u001f]/.test(text)) return undefined
  return text === '' ? null : text
}

function checkName (name: string): void {
  if (!isName(name)) throw new Fault(`bad field '${name}'`)
}

function recordOf<T> (members: Array<[string, T]>, valueOf: (raw: T) => Value | undefined): Fields {
  const record: Fields = new Map()
  for (const [name, raw] of members) {
    checkName(name)
    const value = valueOf(raw)
    if (value === undefined) throw new Fault(`bad value for ${name}`)
    record.set(name, value)
  }
  if (typeof record.get('kind') !== 'string') throw new Fault('no kind')
  return record
}
