// Which records a section shows, with what it joins and computes, and in which order.

import type { Fraction } from './fractions'
import { joiner } from './joins'
import type { Condition, Section, Sort } from './model'
import { compareAlike, compareInOrder, isNumber, numberOf, valueOf, type Fields, type Value } from './values'

/** The record with numbers in place of texts that are numbers with units. */
export function withQuantities (units: Map<string, Fraction>, record: Fields): Fields {
  return new Map([...record].map(([name, value]) => [name, quantity(units, value)]))
}

function quantity (units: Map<string, Fraction>, value: Value): Value {
  if (typeof value !== 'string') return value
  const space = value.indexOf(' ')
  const number = numberOf(value.slice(0, Math.max(space, 0)))
  const factor = units.get(value.slice(space + 1))
  return number === null || factor === undefined ? value : number.times(factor)
}

/** The records of the section, sorted. */
export function chosen (section: Section, records: Fields[]): Fields[] {
  const joined = joiner(section.joins, records)
  return records
    .filter(record => record.get('kind') === section.kind)
    .map(record => withComputed(section, joined(record)))
    .filter(record => section.conditions.every(condition => holds(condition, record)))
    .sort(comparison(allSorts(section)))
}

/** The record with the computed fields, each of which sees those before it. */
function withComputed (section: Section, record: Fields): Fields {
  const result = new Map(record)
  for (const [name, expression] of section.computed) result.set(name, expression(result))
  return result
}

export function holds (condition: Condition, record: Fields): boolean {
  const left = condition.left(record)
  if ('isMissing' in condition) return (left === null) === condition.isMissing
  const right = condition.right(record)
  if (left === null || right === null) return false
  if (isNumber(left) !== isNumber(right)) return condition.sign === '!='
  return isMet(condition.sign, compareAlike(left, right))
}

/** Whether the result of a comparison meets a sign. */
function isMet (sign: string, result: number): boolean {
  if (result === 0) return ['=', '<=', '>='].includes(sign)
  return sign === '!=' || sign.startsWith(result < 0 ? '<' : '>')
}

/** Sorts that keep the records of a group together come first. */
function allSorts (section: Section): Array<Pick<Sort, 'field' | 'isFalling'>> {
  return [...section.keyFields().map(field => ({ field, isFalling: false })), ...section.sorts]
}

function comparison (sorts: Array<Pick<Sort, 'field' | 'isFalling'>>): (a: Fields, b: Fields) => number {
  return (a, b) => {
    for (const { field, isFalling } of sorts) {
      const order = compareSorted(valueOf(a, field), valueOf(b, field), isFalling)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Missing values come last, also if the values are falling. */
function compareSorted (a: Value, b: Value, isFalling: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return isFalling ? compareInOrder(b, a) : compareInOrder(a, b)
}
