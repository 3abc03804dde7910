// Who uses whom: the order in which cells can be computed, and the cycles among them.

import { type Cell, Column, type Sheet, type SheetFunction, Table } from './model'
import { type Call, type Expression, type Name } from './nodes'
import { type Place } from './values'

/** The names and calls in an expression, from left to right, without its own names. */
function * mentions (expression: Expression, own: ReadonlySet<string> = new Set()): Generator<Name | Call> {
  switch (expression.kind) {
    case 'name':
      if (!own.has(expression.name)) yield expression
      break
    case 'unary':
      yield * mentions(expression.operand, own)
      break
    case 'binary':
      yield * mentions(expression.left, own)
      yield * mentions(expression.right, own)
      break
    case 'let':
      yield * mentions(expression.value, own)
      yield * mentions(expression.body, new Set([...own, expression.name]))
      break
    case 'call':
      yield expression
      for (const argument of expression.arguments) yield * mentions(argument, own)
  }
}

export class Graph {
  private readonly known = new Map<Cell, Map<Cell, Place>>()
  private readonly knownOfFunctions = new Map<SheetFunction, Set<Cell>>()

  constructor (private readonly sheet: Sheet) {}

  /** What a cell uses, each with the place of its first mention. */
  uses (cell: Cell): Map<Cell, Place> {
    let found = this.known.get(cell)
    if (found === undefined) {
      found = this.findUses(cell)
      this.known.set(cell, found)
    }
    return found
  }

  private findUses (cell: Cell): Map<Cell, Place> {
    const found = new Map<Cell, Place>()
    const table = cell instanceof Column && cell.expression !== undefined ? cell.table : undefined
    for (const expression of expressionsOf(cell)) {
      for (const mention of mentions(expression)) {
        for (const used of this.meant(mention, table)) {
          if (!found.has(used)) found.set(used, mention.place)
        }
      }
    }
    return found
  }

  /** The cells behind a name, or behind the function that is called. */
  private meant (mention: Name | Call, table?: Table): Iterable<Cell> {
    if (mention.kind === 'call') {
      const called = this.sheet.functions.get(mention.name)
      return called === undefined ? [] : this.usesOfFunction(called)
    }
    const used = table?.column(mention.name) ?? this.sheet.find(mention.name)
    return used === undefined || used instanceof Table ? [] : [used]
  }

  /** What a function mentions, directly or through functions that it calls. */
  private usesOfFunction (start: SheetFunction): Set<Cell> {
    let found = this.knownOfFunctions.get(start)
    if (found === undefined) {
      found = new Set([...this.calledFrom(start)].flatMap(called => this.mentionedIn(called)))
      this.knownOfFunctions.set(start, found)
    }
    return found
  }

  /** A function and all that it calls, directly or through others. */
  private calledFrom (start: SheetFunction): Set<SheetFunction> {
    const found = new Set([start])
    for (const { parameters, body } of found) {
      for (const mention of mentions(body, new Set(parameters))) {
        const called = mention.kind === 'call' ? this.sheet.functions.get(mention.name) : undefined
        if (called !== undefined) found.add(called)
      }
    }
    return found
  }

  private mentionedIn ({ parameters, body }: SheetFunction): Cell[] {
    const names = [...mentions(body, new Set(parameters))].filter(({ kind }) => kind === 'name')
    return names.flatMap(name => [...this.meant(name)])
  }

  /** Groups of cells that use each other, those first that others use: all that `start` needs beyond `done`. */
  * groups (start: Cell, done: { has: (cell: Cell) => boolean }): Generator<Cell[]> {
    const walk = new Walk(this, start)
    for (let visit = walk.last(); visit !== undefined; visit = walk.last()) {
      const used = visit.next(done)
      if (used !== undefined) {
        walk.meet(visit, used)
        continue
      }
      const group = walk.leave(visit)
      if (group !== undefined) yield group
    }
  }

  /** The shortest way from a cell back to itself within a group; the first by names among equals. */
  cycle (start: Cell, group: Set<Cell>): Cell[] | undefined {
    const before = new Map<Cell, Cell>()
    const queue = [start]
    for (const current of queue) {
      for (const used of this.sortedUses(current)) {
        if (used === start) return wayTo(current, before)
        if (!group.has(used) || before.has(used)) continue
        before.set(used, current)
        queue.push(used)
      }
    }
    return undefined
  }

  private sortedUses (cell: Cell): Cell[] {
    return [...this.uses(cell).keys()].sort((a, b) => a.label < b.label ? -1 : 1)
  }
}

function expressionsOf (cell: Cell): Expression[] {
  if (cell.expression !== undefined) return [cell.expression]
  return cell instanceof Column ? cell.entries() : []
}

function wayTo (last: Cell, before: Map<Cell, Cell>): Cell[] {
  const way = [last]
  for (let cell = before.get(last); cell !== undefined; cell = before.get(cell)) way.unshift(cell)
  return way
}

/** A cell that is walked through: its number, and the lowest one that it has a way back to. */
class Visit {
  lowest: number
  private readonly rest: Iterator<Cell>

  constructor (readonly cell: Cell, readonly number: number, uses: Map<Cell, Place>) {
    this.lowest = number
    this.rest = uses.keys()
  }

  /** What the cell uses next of all that is not done. */
  next (done: { has: (cell: Cell) => boolean }): Cell | undefined {
    for (let { done: ended, value } = this.rest.next(); ended !== true; { done: ended, value } = this.rest.next()) {
      if (!done.has(value)) return value
    }
    return undefined
  }
}

/** Tarjan's walk for strongly connected components, without recursion. */
class Walk {
  private readonly path: Visit[] = []
  private readonly open: Visit[] = []
  private readonly visits = new Map<Cell, Visit>()

  constructor (private readonly graph: Graph, start: Cell) {
    this.enter(start)
  }

  last (): Visit | undefined {
    return this.path[this.path.length - 1]
  }

  /** Goes on to a cell that the visited one uses, which it may have met before. */
  meet (from: Visit, used: Cell): void {
    const known = this.visits.get(used)
    if (known === undefined) this.enter(used)
    else from.lowest = Math.min(from.lowest, known.number)
  }

  /** Goes back from a cell; gives the group that it is the first of. */
  leave (visit: Visit): Cell[] | undefined {
    this.path.pop()
    const from = this.last()
    if (from !== undefined) from.lowest = Math.min(from.lowest, visit.lowest)
    if (visit.lowest < visit.number) return undefined
    return this.open.splice(this.open.lastIndexOf(visit)).map(({ cell }) => cell)
  }

  private enter (cell: Cell): void {
    const visit = new Visit(cell, this.visits.size, this.graph.uses(cell))
    this.visits.set(cell, visit)
    this.path.push(visit)
    this.open.push(visit)
  }
}
