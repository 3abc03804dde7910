// What the program can be told to do.

import { type Book } from './book'
import { readSets, tellChanges } from './changes'
import { Evaluator, type Result } from './evaluator'
import { explain } from './explain'
import { formatLine } from './formatter'
import { loadBook } from './loader'
import { type Cell, type Sheet, Table } from './model'
import { refused } from './refusal'
import { namedValues } from './report'
import { CellError, ColumnValue, printed } from './values'

/** A command line that cannot be understood. */
export class UsageError extends Error {}

export interface Output {
  lines: string[]
  exitCode?: number
}

export interface Command {
  usage: string
  /** How many arguments it takes, at least and at most. */
  least: number
  most: number
  run: (args: string[]) => Output
}

/** The exit code where a value that is printed is an error. */
const HOLDS_ERROR = 3

export const COMMANDS = new Map<string, Command>([
  ['check', { usage: 'check FILE', least: 1, most: 1, run: check }],
  ['eval', { usage: 'eval FILE [NAME ...]', least: 1, most: Infinity, run: evaluate }],
  ['explain', { usage: 'explain FILE NAME [NAME=EXPRESSION ...]', least: 2, most: Infinity, run: explainCell }],
  ['format', { usage: 'format FILE', least: 1, most: 1, run: format }],
  ['whatif', { usage: 'whatif FILE NAME=EXPRESSION ...', least: 2, most: Infinity, run: whatIf }]
])


function check ([path]: string[]): Output {
  return { lines: [`ok: ${countOf(loadBook(path).main)} definitions`] }
}

const countOf = (sheet: Sheet): number => sheet.valued().length + sheet.functions.size

function evaluate ([path, ...names]: string[]): Output {
  const book = loadBook(path)
  const evaluator = new Evaluator(book)
  const chosen = names.length === 0 ? book.main.valued() : names.map(name => find(book, name))
  const told = chosen.flatMap(entry => namedValues(evaluator, entry))
  return {
    lines: told.map(({ name, value }) => `${name} = ${printed(value)}`),
    exitCode: told.some(({ value }) => value instanceof CellError) ? HOLDS_ERROR : 0
  }
}

function find (book: Book, name: string): Cell | Table {
  const found = book.main.find(name)
  if (found === undefined) throw refused(`no cell '${name}'`)
  return found
}

function explainCell ([path, name, ...sets]: string[]): Output {
  const book = loadBook(path)
  const cell = find(book, name)
  if (cell instanceof Table) throw refused(`no cell '${name}'`)
  const evaluator = new Evaluator(book, readSets(book, sets))
  return {
    lines: explain(evaluator, cell),
    exitCode: holdsError(evaluator.valueOf(cell)) ? HOLDS_ERROR : 0
  }
}

const holdsError = (result: Result): boolean => (
  result instanceof CellError || (result instanceof ColumnValue && result.error !== undefined)
)

function format ([path]: string[]): Output {
  return { lines: loadBook(path).main.lines.map(formatLine) }
}

function whatIf ([path, ...args]: string[]): Output {
  const book = loadBook(path)
  const sets = readSets(book, args)
  return { lines: tellChanges(new Evaluator(book), new Evaluator(book, sets), sets.keys()) }
}
