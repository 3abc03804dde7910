// Tells how the value of a cell came to be.

import { type Evaluator, OwnCall, type Result } from './evaluator'
import { formatExpression } from './formatter'
import { type Cell } from './model'
import { ColumnValue, printed } from './values'

/** What has a line: a cell, or a call of a function of the sheet. */
type Told = Cell | OwnCall

export function explain (evaluator: Evaluator, cell: Cell): string[] {
  const lines: string[] = []
  const above = new Set<string>()
  const waiting: Array<{ told: Told, depth: number }> = [{ told: cell, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { told, depth } = next
    const outcome = told instanceof OwnCall ? told.outcome : evaluator.outcomeOf(told)
    const isAbove = above.has(told.label)
    const expression = told instanceof OwnCall ? told.expression : evaluator.graph.expressionOf(told)
    const source = expression === undefined ? ' given' : ` from ${formatExpression(expression)}`
    lines.push(`${'  '.repeat(depth)}${told.label} = ${shown(outcome.result)}${isAbove ? ' (above)' : source}`)
    if (isAbove) continue
    above.add(told.label)
    for (const used of [...outcome.used.values()].reverse()) waiting.push({ told: used, depth: depth + 1 })
  }
  return lines
}


const shown = (result: Result): string => (
  result instanceof ColumnValue ? `(${result.entries.map(printed).join(', ')})` : printed(result)
)

