// What the program can be told to do.

import { Evaluator } from './evaluator'
import { readText } from './files'
import { formatLine } from './formatter'
import { type Cell, cellsOf, Column, type Sheet, Table } from './model'
import { readSheet } from './reader'
import { Refusal, refused } from './refusal'
import { CellError, ColumnValue, printed, type Value } from './values'

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
  ['format', { usage: 'format FILE', least: 1, most: 1, run: format }]
])

function load (path: string): Sheet {
  const { sheet, faults } = readSheet(readText(path))
  if (faults.length > 0) {
    throw new Refusal(faults.map(fault => `${path}:${fault.line}:${fault.column}: ${fault.message}`))
  }
  return sheet
}

function check ([path]: string[]): Output {
  return { lines: [`ok: ${load(path).entries.size} definitions`] }
}

function evaluate ([path, ...names]: string[]): Output {
  const sheet = load(path)
  const evaluator = new Evaluator(sheet)
  const chosen = names.length === 0 ? [...sheet.entries.values()] : names.map(name => find(sheet, name))
  const told = chosen.flatMap(entry => namedValues(evaluator, entry))
  return {
    lines: told.map(({ name, value }) => `${name} = ${printed(value)}`),
    exitCode: told.some(({ value }) => value instanceof CellError) ? HOLDS_ERROR : 0
  }
}

function find (sheet: Sheet, name: string): Cell | Table {
  const found = sheet.find(name)
  if (found === undefined) throw refused(`no cell '${name}'`)
  return found
}

/** The values of a definition, a column or a table, row by row, each with its name. */
function namedValues (evaluator: Evaluator, entry: Cell | Table): Array<{ name: string, value: Value }> {
  if (!(entry instanceof Table || entry instanceof Column)) {
    return [{ name: entry.name, value: evaluator.valueOf(entry) as Value }]
  }
  const table = entry instanceof Table ? entry : entry.table
  return table.rows.flatMap((row, at) => cellsOf(entry).map(column => {
    const value = evaluator.valueOf(column)
    return {
      name: `${table.name}[${at + 1}].${column.name}`,
      value: value instanceof ColumnValue ? value.entries[at] : value
    }
  }))
}

function format ([path]: string[]): Output {
  return { lines: load(path).lines.map(formatLine) }
}
