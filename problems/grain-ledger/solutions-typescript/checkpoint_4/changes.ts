// What would change if definitions were others.

import { type Book } from './book'
import { type Evaluator } from './evaluator'
import { type Overrides } from './graph'
import { type Cell, Definition } from './model'
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

/** The values that are printed differently, and how many cells had to be computed anew. */
export function tellChanges (before: Evaluator, after: Evaluator, changed: Iterable<Cell>): string[] {
  const earlier = printedValues(before)
  const lines = [...printedValues(after)]
    .filter(([name, value]) => earlier.get(name) !== value)
    .map(([name, value]) => `${name}: ${earlier.get(name)!} -> ${value}`)
  if (lines.length === 0) lines.push('no changes')
  const recomputed = after.graph.usersOf(changed, after.book.cells())
  return [...lines, `recomputed: ${recomputed.size} of ${after.book.cells().length}`]
}

function printedValues (evaluator: Evaluator): Map<string, string> {
  const entries = evaluator.book.sheets.flatMap(sheet => sheet.valued())
  const told = entries.flatMap(entry => namedValues(evaluator, entry))
  return new Map(told.map(({ name, value }) => [name, printed(value)]))
}
