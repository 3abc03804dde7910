// Rows that are computed from the lots, and the ways to print them.

import { table } from './formats'
import { compare, type Lot } from './stock'
import { BASE_UNITS } from './values'

type Row = Record<string, string | number>

/** What can be printed: names of columns, rows, each as text, and what is said if there is none. */
export interface Report { columns: string[], rows: Row[], describe: (row: Row) => string, nothing: string }

export const KEYS: Record<string, (lot: Lot) => string> = {
  name: lot => lot.name,
  place: lot => lot.place,
  month: lot => lot.bestBefore?.slice(0, 7) ?? 'none'
}

/** One group for each key, in order; `none` sorts behind every month by itself. */
export function groups (lots: Lot[], by: string): Report {
  const members = new Map<string, Lot[]>()
  for (const lot of lots) {
    const key = KEYS[by](lot)
    members.set(key, [...members.get(key) ?? [], lot])
  }
  const rows = [...members].sort(([a], [b]) => compare(a, b)).map(([key, lots]) => summarise(key, lots))
  return { columns: ['key', 'lots', ...BASE_UNITS], rows, describe: describeGroup, nothing: 'no lots found' }
}

function summarise (key: string, lots: Lot[]): Row {
  const sum = (unit: string): number =>
    lots.reduce((sum, lot) => lot.unit === unit ? sum + lot.amount : sum, 0)
  return { key, lots: lots.length, ...Object.fromEntries(BASE_UNITS.map(unit => [unit, sum(unit)])) }
}

function describeGroup (row: Row): string {
  const sums = BASE_UNITS.filter(unit => row[unit] !== 0).map(unit => `${row[unit]} ${unit}`)
  return `${row.key}: ${[`${row.lots} lots`, ...sums].join(', ')}`
}

export const FORMATS: Record<string, (report: Report) => string> = {
  text: ({ rows, describe, nothing }) => rows.map(describe).join('\n') || nothing,
  csv: ({ columns, rows }) => table([columns, ...rows.map(row => columns.map(key => row[key]))]).trimEnd(),
  json: ({ rows }) => JSON.stringify(rows)
}
