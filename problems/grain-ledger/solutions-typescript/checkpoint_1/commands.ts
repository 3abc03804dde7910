// What the program can be told to do.

import { Evaluator } from './evaluator'
import { readText } from './files'
import { type Definition, type Sheet } from './model'
import { readSheet } from './reader'
import { Refusal, refused } from './refusal'
import { CellError, printed } from './values'

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
  ['eval', { usage: 'eval FILE [NAME ...]', least: 1, most: Infinity, run: evaluate }]
])

function load (path: string): Sheet {
  const { sheet, faults } = readSheet(readText(path))
  if (faults.length > 0) {
    throw new Refusal(faults.map(fault => `${path}:${fault.line}:${fault.column}: ${fault.message}`))
  }
  return sheet
}

function check ([path]: string[]): Output {
  return { lines: [`ok: ${load(path).definitions.size} definitions`] }
}

function evaluate ([path, ...names]: string[]): Output {
  const sheet = load(path)
  const evaluator = new Evaluator(sheet)
  const chosen = names.length === 0 ? [...sheet.definitions.values()] : names.map(name => find(sheet, name))
  const values = chosen.map(definition => evaluator.valueOf(definition))
  return {
    lines: chosen.map((definition, at) => `${definition.name} = ${printed(values[at])}`),
    exitCode: values.some(value => value instanceof CellError) ? HOLDS_ERROR : 0
  }
}

function find (sheet: Sheet, name: string): Definition {
  const definition = sheet.definitions.get(name)
  if (definition === undefined) throw refused(`no cell '${name}'`)
  return definition
}
