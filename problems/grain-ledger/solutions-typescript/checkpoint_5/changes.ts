// What changes if definitions are others.

import { type Book } from './book'
import { type Evaluator } from './evaluator'
import { type Overrides } from './graph'
import { Definition } from './model'
import { Parser } from './parser'
import { Refusal, refused } from './refusal'
import { namedValues } from './report'
import { LineFault } from './tokens'
import { printed } from './values'

/** Reads arguments of the form NAME=EXPRESSION. */
export function readSets (book: Book, args: string[]): Overrides {
  const sets: Overrides = new Map()
  args.forEach((argument, at) => {
    const { name, expression } = readSet(argument, `set ${at + 1}`)
    const definition = book.main.find(name)
    if (!(definition instanceof Definition)) throw refused(`no cell '${name}'`)
    if (sets.has(definition)) throw refused(`'${name}' is set twice`)
    sets.set(definition, expression)
  })
  return sets
}

function readSet (argument: string, where: string): Pick<Definition, 'name' | 'expression'> {
  try {
    const parser = new Parser(argument, where)
    const name = parser.expectKind('name').text
    parser.expect('=')
    const expression = parser.expression()
    parser.expectKind('end')
    return { name, expression }
  } catch (fault) {
    if (!(fault instanceof LineFault)) throw fault
    throw new Refusal([`${where}:${fault.column}: ${fault.message}`])
  }
}

/** Stands for the value of what is not there. */
const NO_VALUE = 'none'

/** The values that are printed differently, and how many cells had to be computed anew after a change of some. */
export function tellChanges (before: Evaluator, after: Evaluator, changed: ReadonlySet<string>): string[] {
  const earlier = printedValues(before)
  const later = printedValues(after)
  const lines = [...new Set([...later.keys(), ...earlier.keys()])]
    .map(name => ({ name, from: earlier.get(name) ?? NO_VALUE, to: later.get(name) ?? NO_VALUE }))
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => `${name}: ${from} -> ${to}`)
  if (lines.length === 0) lines.push('no changes')
  const stale = new Set([...usersOf(before, changed), ...usersOf(after, changed)])
  const cells = after.book.cells()
  const recomputed = cells.filter(({ label }) => stale.has(label))
  return [...lines, `recomputed: ${recomputed.length} of ${cells.length}`]
}

/** The labels of cells and of all that use one of them. */
function usersOf ({ book, graph }: Evaluator, changed: ReadonlySet<string>): string[] {
  const cells = book.cells()
  const users = graph.usersOf(cells.filter(({ label }) => changed.has(label)), cells)
  return [...users].map(({ label }) => label)
}

function printedValues (evaluator: Evaluator): Map<string, string> {
  const entries = evaluator.book.sheets.flatMap(sheet => sheet.valued())
  const told = entries.flatMap(entry => namedValues(evaluator, entry))
  return new Map(told.map(({ name, value }) => [name, printed(value)]))
}
