// What a definition says.

import type { Value } from './values'

export const STATISTICS = ['sum', 'mean', 'least', 'most', 'count'] as const

export type Statistic = typeof STATISTICS[number]

export type Side = 'left' | 'right'

export type Sign = '=' | '!=' | '<' | '<=' | '>' | '>='

export interface Column {
  field: string
  title?: string
  width?: number
  side?: Side
}

export function headingOf ({ title, field }: Column): string {
  return title ?? field
}

/** A test of a field. */
export type Condition =
  | { field: string, isMissing: boolean }
  | { field: string, sign: Sign, value: Value }

/** A field by which rows are sorted. */
export interface Sort { field: string, isFalling: boolean }

/** A statistic below the columns of a field. */
export interface Total { place: string, field: string, statistic: Statistic }

/** A table of records of one kind. */
export class Section {
  kind?: string
  readonly columns: Column[] = []
  readonly conditions: Condition[] = []
  readonly sorts: Sort[] = []
  readonly groups: string[] = []
  readonly totals: Total[] = []
}

export class Report {
  title?: string
  readonly section = new Section()
}
