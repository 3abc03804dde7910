// What a definition says.

import type { Fraction } from './fractions'
import type { Size } from './periods'
import type { Fields, Value } from './values'

export const STATISTICS = ['sum', 'mean', 'least', 'most', 'count'] as const

export type Statistic = typeof STATISTICS[number]

export const COURSES = ['running', 'change'] as const

export type Course = typeof COURSES[number]

export type Side = 'left' | 'right'

export type Sign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** Computes a value from the fields of a record. */
export type Expression = (fields: Fields) => Value

export interface Column {
  place: string
  field: string
  title?: string
  width?: number
  side?: Side
  decimals?: number
  /** A unit in which numbers are shown, and its value. */
  unit?: string
  factor?: Fraction
  /** The text that is shown for a missing value. */
  instead?: string
  statistic?: Statistic
  course?: Course
}

export function headingOf ({ title, field, statistic, course, unit }: Column): string {
  const shownUnit = unit === undefined || statistic === 'count' ? undefined : `(${unit})`
  return title ?? [field, statistic, course, shownUnit].filter(word => word !== undefined).join(' ')
}

/** A test of a record. */
export type Condition =
  | { left: Expression, isMissing: boolean }
  | { left: Expression, sign: Sign, right: Expression }

/** Connects records of a kind with the records of a section. */
export interface Join { place: string, name: string, kind: string, theirs: string, ours: string }

/** A field by which rows are sorted. */
export interface Sort { place: string, field: string, isFalling: boolean }

/** A field whose values make the rows. */
export interface RowField { place: string, field: string, isFilled: boolean }

/** A statistic below the columns of a field. */
export interface Total { place: string, field: string, statistic: Statistic }

/** A table of records of one kind. */
export class Section {
  kind?: string
  readonly joins: Join[] = []
  readonly computed: Map<string, Expression>
  /** The sizes of those computed fields that are periods. */
  readonly periods: Map<string, Size>
  readonly columns: Column[] = []
  readonly conditions: Condition[] = []
  readonly sorts: Sort[] = []
  readonly groups: string[] = []
  readonly rows: RowField[] = []
  readonly totals: Total[] = []

  /** A section with a title begins with what all sections share. */
  constructor (readonly place?: string, readonly title?: string, shared?: Section) {
    this.computed = new Map(shared?.computed)
    this.periods = new Map(shared?.periods)
  }

  /** Whether the section has other lines than those that all sections may share. */
  isBegun (): boolean {
    const { joins, columns, conditions, sorts, groups, rows, totals } = this
    const lines: unknown[][] = [joins, columns, conditions, sorts, groups, rows, totals]
    return this.kind !== undefined || lines.some(list => list.length > 0)
  }

  /** The fields by which rows of several records differ. */
  keyFields (): string[] {
    return [...this.groups, ...this.rows.map(({ field }) => field)]
  }
}

export class Report {
  title?: string
  readonly units = new Map<string, Fraction>()
  sections = [new Section()]

  /** The section to which the next line belongs. */
  section (): Section {
    return this.sections[this.sections.length - 1]
  }
}
