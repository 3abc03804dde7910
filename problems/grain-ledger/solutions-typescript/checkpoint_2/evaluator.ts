// Computes the values of definitions.

import { Graph } from './graph'
import { type Argument, LIBRARY, wrongCount } from './library'
import { type Cell, Column, type Sheet, Table } from './model'
import { type Binary, type Call, type Expression, type Unary } from './nodes'
import { applyBinary } from './operators'
import { asNumber, CellError, ColumnValue, isTrue, type Place, type Single, truth, type Value } from './values'

/** What came of a cell: a column that is on a cycle is one error. */
export type Result = Value | ColumnValue

/** Where an expression is evaluated: in a row of a table, if its columns have values there. */
interface Frame {
  row?: { table: Table, at: number }
}

export class Evaluator {
  private readonly results = new Map<Cell, Result>()
  private readonly graph: Graph

  constructor (private readonly sheet: Sheet) {
    this.graph = new Graph(sheet)
  }

  valueOf (cell: Cell): Result {
    if (!this.results.has(cell)) {
      for (const group of this.graph.groups(cell, this.results)) this.computeGroup(group)
    }
    return this.results.get(cell)!
  }

  /** Computes cells that are all on cycles through each other, or a single one. */
  private computeGroup (group: Cell[]): void {
    const together = new Set(group)
    for (const cell of group) this.results.set(cell, this.cycleError(cell, together) ?? this.compute(cell))
  }

  private cycleError (cell: Cell, group: Set<Cell>): CellError | undefined {
    const way = this.graph.cycle(cell, group)
    if (way === undefined) return undefined
    const names = [...way, cell].map(({ label }) => label).join(' -> ')
    return new CellError(`cycle ${names}`, this.graph.uses(cell).get(way[1] ?? cell)!)
  }

  private compute (cell: Cell): Result {
    if (!(cell instanceof Column)) return this.outcome(cell.expression, {})
    const { table, expression } = cell
    if (expression === undefined) return new ColumnValue(cell.entries().map(entry => this.outcome(entry, {})))
    return new ColumnValue(table.rows.map((row, at) => this.outcome(expression, { row: { table, at } })))
  }

  private outcome (expression: Expression, frame: Frame): Value {
    try {
      return this.evaluate(expression, frame)
    } catch (error) {
      if (error instanceof CellError) return error
      throw error
    }
  }

  private evaluate (expression: Expression, frame: Frame): Single {
    switch (expression.kind) {
      case 'number':
      case 'text':
        return expression.value
      case 'name':
        return single(this.lookUp(expression.name, expression.place, frame), expression.place)
      case 'unary':
        return this.unary(expression, frame)
      case 'binary':
        return this.binary(expression, frame)
      case 'call':
        return this.call(expression, frame)
    }
  }

  /** What a name means; a column only without errors. */
  private lookUp (name: string, place: Place, { row }: Frame): Argument {
    const inRow = row?.table.column(name)
    if (row !== undefined && inRow !== undefined) return checked(this.entry(inRow, row.at))
    const found = this.sheet.find(name)
    if (found === undefined) throw new CellError(`unknown name '${name}'`, place)
    if (found instanceof Table) throw new CellError('expected a single value, got a table', place)
    const result = this.results.get(found)!
    if (!(result instanceof ColumnValue)) return checked(result)
    if (result.error !== undefined) throw result.error
    return result
  }

  private entry (column: Column, at: number): Value {
    const result = this.results.get(column)!
    return result instanceof ColumnValue ? result.entries[at] : result
  }

  /** An argument of a function that takes columns. */
  private argument (expression: Expression, frame: Frame): Argument {
    if (expression.kind === 'name') return this.lookUp(expression.name, expression.place, frame)
    return this.evaluate(expression, frame)
  }

  private unary ({ operator, operand, place }: Unary, frame: Frame): Single {
    const number = asNumber(this.evaluate(operand, frame), place)
    return operator === 'not' ? truth(!isTrue(number)) : -number
  }

  private binary ({ operator, left, right, place }: Binary, frame: Frame): Single {
    const first = this.evaluate(left, frame)
    if (operator !== 'and' && operator !== 'or') return applyBinary(operator, first, this.evaluate(right, frame), place)
    const decided = isTrue(asNumber(first, place))
    if (decided === (operator === 'or')) return truth(decided)
    return truth(isTrue(asNumber(this.evaluate(right, frame), place)))
  }

  private call (call: Call, frame: Frame): Single {
    const builtin = LIBRARY.get(call.name)
    if (builtin === undefined) throw new CellError(`unknown function '${call.name}'`, call.place)
    const wrong = wrongCount(call.name, builtin, call.arguments.length)
    if (wrong !== undefined) throw new CellError(wrong, call.place)
    const read = (argument: Expression): Argument => (
      builtin.takesColumns ? this.argument(argument, frame) : this.evaluate(argument, frame)
    )
    return builtin.call(call.arguments.map(argument => () => read(argument)), call.place)
  }
}

function checked (value: Value): Single {
  if (value instanceof CellError) throw value
  return value
}

function single (value: Argument, place: Place): Single {
  if (value instanceof ColumnValue) throw new CellError('expected a single value, got a column', place)
  return value
}
