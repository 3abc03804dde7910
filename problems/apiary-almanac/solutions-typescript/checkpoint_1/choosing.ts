// Which records a section shows, and in which order.

import type { Condition, Section, Sort } from './model'
import { compareAlike, compareInOrder, isNumber, valueOf, type Fields, type Value } from './values'

/** The records of the section, sorted. */
export function chosen (section: Section, records: Fields[]): Fields[] {
  return records
    .filter(record => record.get('kind') === section.kind)
    .filter(record => section.conditions.every(condition => holds(condition, record)))
    .sort(comparison(allSorts(section)))
}

export function holds (condition: Condition, record: Fields): boolean {
  const value = valueOf(record, condition.field)
  if ('isMissing' in condition) return (value === null) === condition.isMissing
  if (value === null || condition.value === null) return false
  if (isNumber(value) !== isNumber(condition.value)) return condition.sign === '!='
  return isMet(condition.sign, compareAlike(value, condition.value))
}

/** Whether the result of a comparison meets a sign. */
function isMet (sign: string, result: number): boolean {
  if (result === 0) return ['=', '<=', '>='].includes(sign)
  return sign === '!=' || sign.startsWith(result < 0 ? '<' : '>')
}

/** Sorts that keep the records of a group together come first. */
function allSorts (section: Section): Array<Pick<Sort, 'field' | 'isFalling'>> {
  return [...section.groups.map(field => ({ field, isFalling: false })), ...section.sorts]
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
