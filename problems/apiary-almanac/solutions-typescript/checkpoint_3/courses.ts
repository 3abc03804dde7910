// Columns whose values depend on the rows above: running sums and changes.

import { entryRuns, type Entry } from './entries'
import type { Fraction } from './fractions'
import type { Course, Section } from './model'
import { isNumber, type Value } from './values'

/** Replaces the values of such columns, run by run. */
export function followCourses (section: Section, entries: Entry[]): void {
  const names = section.keyFields()
  if (section.rows.length > 0) names.pop()
  for (const run of entryRuns(entries, names)) {
    section.columns.forEach(({ course }, index) => {
      if (course !== undefined) follow(COURSES[course], index, run)
    })
  }
}

function follow (course: (values: Value[]) => Value[], index: number, run: Entry[]): void {
  const values = course(run.map(({ values }) => values[index]))
  run.forEach((entry, row) => { entry.values[index] = values[row] })
}

/** The sums so far, which are missing until there is a number. */
function running (values: Value[]): Value[] {
  let sum: Fraction | null = null
  return values.map(value => {
    if (isNumber(value)) sum = sum === null ? value : sum.plus(value)
    return sum
  })
}

/** The differences from the rows before. */
function change (values: Value[]): Value[] {
  return values.map((value, row) => {
    const before = values[row - 1] ?? null
    return isNumber(value) && isNumber(before) ? value.minus(before) : null
  })
}

const COURSES: Record<Course, (values: Value[]) => Value[]> = { running, change }
