// What a definition says.

import type { Fraction } from './fractions'
import type { Fields, Value } from './values'

export const STATISTICS = ['sum', 'mean', 'least', 'most', 'count'] as const

export type Statistic = typeof STATISTICS[number]

export type Side = 'left' | 'right'

export type Sign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** Computes a value from the fields of a record. */
export type Expression = (fields: Fields) => Value

export interface Column {
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
}

export function headingOf ({ title, field, unit }: Column): string {
  return title ?? (unit === undefined ? field : `${field} (${unit})`)
}

/** A test of a record. */
export type Condition =
  | { left: Expression, isMissing: boolean }
  | { left: Expression, sign: Sign, right: Expression }

/** A field by which rows are sorted. */
export interface Sort { field: string, isFalling: boolean }

/** A statistic below the columns of a field. */
export interface Total { place: string, field: string, statistic: Statistic }

/** A table of records of one kind. */
export class Section {
  kind?: string
  readonly computed: Map<string, Expression>
  readonly columns: Column[] = []
  readonly conditions: Condition[] = []
  readonly sorts: Sort[] = []
  readonly groups: string[] = []
  readonly totals: Total[] = []

  /** A section with a title begins with what all sections share. */
  constructor (readonly place?: string, readonly title?: string, shared?: Section) {
    this.computed = new Map(shared?.computed)
  }

  /** Whether the section has other lines than those that all sections may share. */
  isBegun (): boolean {
    const lines = [this.columns, this.conditions, this.sorts, this.groups, this.totals]
    return this.kind !== undefined || lines.some(list => list.length > 0)
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
