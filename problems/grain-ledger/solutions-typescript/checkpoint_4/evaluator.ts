// Computes the values of definitions.

import { type Book } from './book'
import { Graph, type Overrides } from './graph'
import { type Argument, LIBRARY, wrongCount } from './library'
import { type Cell, Column, type Sheet, type SheetFunction, Table } from './model'
import { type Binary, type Call, type Expression, type Let, type Unary } from './nodes'
import { applyBinary } from './operators'
import { asNumber, CellError, ColumnValue, isTrue, type Place, printed, type Single, truth, type Value } from './values'

/** What came of a cell: a column that is on a cycle is one error. */
export type Result = Value | ColumnValue

/** What came of a cell or a call, and what it has looked at, by label, in the order of first looks. */
export interface Outcome {
  result: Result
  used: Used
}

type Used = Map<string, Cell | OwnCall>

/** A call of a function of the sheet. */
export class OwnCall {
  readonly label: string

  constructor (private readonly called: SheetFunction, args: Single[], readonly outcome: Outcome) {
    this.label = `${called.sheet.prefix}${called.name}(${args.map(printed).join(', ')})`
  }

  get expression (): Expression {
    return this.called.body
  }
}

/** A parameter or a local name, and those around it. */
interface Local {
  name: string
  value: Single
  outer?: Local
}

/** Where an expression is evaluated. */
interface Frame {
  sheet: Sheet
  /** The row of a table whose columns have values. */
  row?: { table: Table, at: number }
  locals?: Local
  /** How many calls of functions of the sheet it is in. */
  depth: number
  used: Used
}

const DEEPEST_CALL = 100

export class Evaluator {
  private readonly outcomes = new Map<Cell, Outcome>()
  readonly graph: Graph

  constructor (readonly book: Book, overrides: Overrides = new Map()) {
    this.graph = new Graph(overrides)
  }

  valueOf (cell: Cell): Result {
    return this.outcomeOf(cell).result
  }

  outcomeOf (cell: Cell): Outcome {
    if (!this.outcomes.has(cell)) {
      for (const group of this.graph.groups(cell, this.outcomes)) this.computeGroup(group)
    }
    return this.outcomes.get(cell)!
  }

  /** Computes cells that are all on cycles through each other, or a single one. */
  private computeGroup (group: Cell[]): void {
    const together = new Set(group)
    for (const cell of group) {
      const used: Used = new Map()
      const frame = { sheet: cell.sheet, depth: 0, used }
      this.outcomes.set(cell, { result: this.cycleError(cell, together) ?? this.compute(cell, frame), used })
    }
  }

  private cycleError (cell: Cell, group: Set<Cell>): CellError | undefined {
    const way = this.graph.cycle(cell, group)
    if (way === undefined) return undefined
    const names = [...way, cell].map(({ label }) => label).join(' -> ')
    return new CellError(`cycle ${names}`, this.graph.uses(cell).get(way[1] ?? cell)!)
  }

  private compute (cell: Cell, frame: Frame): Result {
    const expression = this.graph.expressionOf(cell)
    if (!(cell instanceof Column)) return this.attempt(expression!, frame)
    if (expression === undefined) return new ColumnValue(cell.entries().map(entry => this.attempt(entry, frame)))
    const { table } = cell
    return new ColumnValue(table.rows.map((row, at) => this.attempt(expression, { ...frame, row: { table, at } })))
  }

  /** The value of an expression, or the error that ends it. */
  private attempt (expression: Expression, frame: Frame): Value {
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
      case 'let':
        return this.bind(expression, frame)
      case 'call':
        return this.call(expression, frame)
    }
  }

  /** What a name means; a column only without errors. */
  private lookUp (name: string, place: Place, frame: Frame): Argument {
    const local = findLocal(name, frame.locals)
    if (local !== undefined) return local.value
    const column = frame.row?.table.column(name)
    if (column !== undefined) return checked(this.entry(column, frame))
    const found = frame.sheet.find(name)
    if (found === undefined) throw new CellError(`unknown name '${name}'`, place)
    if (found instanceof Table) throw new CellError('expected a single value, got a table', place)
    const result = this.use(found, frame)
    if (!(result instanceof ColumnValue)) return checked(result)
    if (result.error !== undefined) throw result.error
    return result
  }

  /** The value of a column in the row. */
  private entry (column: Column, frame: Frame): Value {
    const result = this.use(column, frame)
    return result instanceof ColumnValue ? result.entries[frame.row!.at] : result
  }

  private use (cell: Cell, frame: Frame): Result {
    frame.used.set(cell.label, cell)
    return this.outcomes.get(cell)!.result
  }

  private bind ({ name, value, body }: Let, frame: Frame): Single {
    const locals = { name, value: this.evaluate(value, frame), outer: frame.locals }
    return this.evaluate(body, { ...frame, locals })
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
    const own = frame.sheet.findFunction(call.name)
    if (own !== undefined) return this.callOwn(own, call, frame)
    const builtin = LIBRARY.get(call.name)
    if (builtin === undefined) throw new CellError(`unknown function '${call.name}'`, call.place)
    checkCount(call, builtin)
    const read = (argument: Expression): Argument => (
      builtin.takesColumns ? this.argument(argument, frame) : this.evaluate(argument, frame)
    )
    return builtin.call(call.arguments.map(argument => () => read(argument)), call.place)
  }

  private callOwn (own: SheetFunction, call: Call, frame: Frame): Single {
    checkCount(call, { least: own.parameters.length, most: own.parameters.length })
    const args = call.arguments.map(argument => this.evaluate(argument, frame))
    if (frame.depth === DEEPEST_CALL) throw new CellError('calls nested too deeply', call.place)
    const { outcome } = this.run(own, args, frame)
    return checked(outcome.result as Value)
  }

  private run (own: SheetFunction, args: Single[], frame: Frame): OwnCall {
    let locals: Local | undefined
    own.parameters.forEach((name, at) => { locals = { name, value: args[at], outer: locals } })
    const used: Used = new Map()
    const result = this.attempt(own.body, { sheet: own.sheet, locals, depth: frame.depth + 1, used })
    const call = new OwnCall(own, args, { result, used })
    if (!frame.used.has(call.label)) frame.used.set(call.label, call)
    return call
  }
}

const checkCount = (call: Call, counts: { least: number, most: number }): void => {
  const wrong = wrongCount(call.name, counts, call.arguments.length)
  if (wrong !== undefined) throw new CellError(wrong, call.place)
}

function findLocal (name: string, innermost: Local | undefined): Local | undefined {
  let local = innermost
  while (local !== undefined && local.name !== name) local = local.outer
  return local
}

function checked (value: Value): Single {
  if (value instanceof CellError) throw value
  return value
}

function single (value: Argument, place: Place): Single {
  if (value instanceof ColumnValue) throw new CellError('expected a single value, got a column', place)
  return value
}
