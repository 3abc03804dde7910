// What the program can be told to do.

import { stepsOption, UsageError, wholeNumber } from './arguments'
import { type Book } from './book'
import { readSets, tellChanges } from './changes'
import { describe, type Edit, EditLog, readEdit } from './edits'
import { DEFAULT_LIMIT, Evaluator, type Result } from './evaluator'
import { explain } from './explain'
import { formatLine } from './formatter'
import { loadBook } from './loader'
import { type Cell, cellsOf, Definition, type Sheet, Table } from './model'
import { refused } from './refusal'
import { namedValues } from './report'
import { CellError, ColumnValue, printed } from './values'

export interface Output {
  lines: string[]
  exitCode?: number
}

export interface Command {
  usage: string
  /** How many arguments it takes, at least and at most. */
  least: number
  most: number
  takesSteps?: boolean
  run: (args: string[], limit: number) => Output
}

/** The exit code where a value that is printed is an error. */
const HOLDS_ERROR = 3

export const COMMANDS = new Map<string, Command>([
  ['check', { usage: 'FILE', least: 1, most: 1, run: check }],
  ['cost', { usage: '[--steps N] FILE [NAME ...]', least: 1, most: Infinity, takesSteps: true, run: cost }],
  ['edit', { usage: 'FILE NAME=EXPRESSION', least: 2, most: 2, run: edit }],
  ['edits', { usage: 'FILE', least: 1, most: 1, run: listEdits }],
  ['eval', { usage: '[--steps N] FILE [NAME ...]', least: 1, most: Infinity, takesSteps: true, run: evaluate }],
  ['explain', {
    usage: '[--steps N] FILE NAME [NAME=EXPRESSION ...]',
    least: 2,
    most: Infinity,
    takesSteps: true,
    run: explainCell
  }],
  ['format', { usage: 'FILE', least: 1, most: 1, run: format }],
  ['redo', { usage: 'FILE [COUNT]', least: 1, most: 2, run: redo }],
  ['remove', { usage: 'FILE NAME', least: 2, most: 2, run: remove }],
  ['undo', { usage: 'FILE [COUNT]', least: 1, most: 2, run: undo }],
  ['whatif', {
    usage: '[--steps N] FILE NAME=EXPRESSION ...',
    least: 2,
    most: Infinity,
    takesSteps: true,
    run: whatIf
  }]
])

export function runCommand ([name, ...args]: string[]): Output {
  const command = COMMANDS.get(name ?? '')
  if (command === undefined) throw new UsageError(`commands are ${[...COMMANDS.keys()].join(', ')}`)
  const { limit, rest } = command.takesSteps === true ? stepsOption(args) : { limit: undefined, rest: args }
  if (rest.length < command.least || rest.length > command.most) throw new UsageError(`usage: ${name} ${command.usage}`)
  return command.run(rest, limit === undefined ? DEFAULT_LIMIT : wholeNumber(limit, 'steps'))
}

function check ([path]: string[]): Output {
  return { lines: [`ok: ${countOf(loadBook(path).main)} definitions`] }
}

const countOf = (sheet: Sheet): number => sheet.valued().length + sheet.functions.size

function evaluate ([path, ...names]: string[], limit: number): Output {
  const book = loadBook(path)
  const evaluator = new Evaluator(book, limit)
  const told = chosen(book, names).flatMap(entry => namedValues(evaluator, entry))
  return {
    lines: told.map(({ name, value }) => `${name} = ${printed(value)}`),
    exitCode: told.some(({ value }) => value instanceof CellError) ? HOLDS_ERROR : 0
  }
}

function cost ([path, ...names]: string[], limit: number): Output {
  const book = loadBook(path)
  const evaluator = new Evaluator(book, limit)
  const cells = chosen(book, names).flatMap(cellsOf)
  return { lines: cells.map(cell => `${cell.label}: ${evaluator.outcomeOf(cell).steps} steps`) }
}

/** What the names mean, or all of the main sheet. */
const chosen = (book: Book, names: string[]): Array<Cell | Table> => (
  names.length === 0 ? book.main.valued() : names.map(name => find(book, name))
)

function find (book: Book, name: string): Cell | Table {
  const found = book.main.find(name)
  if (found === undefined) throw refused(`no cell '${name}'`)
  return found
}

function explainCell ([path, name, ...sets]: string[], limit: number): Output {
  const book = loadBook(path)
  const cell = find(book, name)
  if (cell instanceof Table) throw refused(`no cell '${name}'`)
  const evaluator = new Evaluator(book, limit, readSets(book, sets))
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

function whatIf ([path, ...args]: string[], limit: number): Output {
  const book = loadBook(path)
  const sets = readSets(book, args)
  const labels = new Set([...sets.keys()].map(({ label }) => label))
  return { lines: tellChanges(new Evaluator(book, limit), new Evaluator(book, limit, sets), labels) }
}

function edit ([path, argument]: string[]): Output {
  const book = loadBook(path)
  const log = EditLog.load(path)
  const made = readEdit(book.main, argument, log.done.length + 1)
  return change(book, log.extended(made), 'edited', [made])
}

function remove ([path, name]: string[]): Output {
  const book = loadBook(path)
  if (!(book.main.entries.get(name) instanceof Definition)) throw refused(`no cell '${name}'`)
  const made = { name, text: null }
  return change(book, EditLog.load(path).extended(made), 'edited', [made])
}

function undo ([path, count = '1']: string[]): Output {
  return moveEdits(path, wholeNumber(count, 'count'), 'undone', (log, number) => log.undo(number))
}

function redo ([path, count = '1']: string[]): Output {
  return moveEdits(path, wholeNumber(count, 'count'), 'redone', (log, number) => log.redo(number))
}

function moveEdits (path: string, count: number, word: string, move: (log: EditLog, count: number) => Edit[]): Output {
  const book = loadBook(path)
  const log = EditLog.load(path)
  return change(book, log, word, move(log, count))
}

/** Keeps the edits, and tells what those that were moved change in the book. */
function change (before: Book, log: EditLog, word: string, moved: Edit[]): Output {
  const after = loadBook(log.file, log)
  log.save()
  const names = new Set(moved.map(({ name }) => name))
  const changes = tellChanges(new Evaluator(before, DEFAULT_LIMIT), new Evaluator(after, DEFAULT_LIMIT), names)
  return { lines: [...moved.map(edit => `${word}: ${describe(edit)}`), ...changes] }
}

function listEdits ([path]: string[]): Output {
  loadBook(path)
  const lines = EditLog.load(path).done.map((edit, at) => `${at + 1}. ${describe(edit)}`)
  return { lines: lines.length === 0 ? ['no edits'] : lines }
}
