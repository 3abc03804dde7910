// Periods of time: days, weeks, months, seasons and years.

const DATE = /^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$/
const SEASONS = ['winter', 'spring', 'summer', 'autumn']
const WEEK = 7 * 24 * 60 * 60 * 1000

/** A stretch of time: the text that is shown for it, and its first day in milliseconds for sorting. */
export class Period {
  constructor (private readonly label: string, readonly start: number) {}

  toString (): string {
    return this.label
  }
}

/** A size of periods. */
export interface Size {
  /** The first day of the period of a day. */
  first: (day: Date) => Date
  label: (first: Date) => string
  /** The first day of the next period. */
  next: (first: Date) => Date
}

function dayOf (year: number, month: number, day = 1): Date {
  return new Date(Date.UTC(year, month, day))
}

function later (day: Date, { months = 0, days = 0 }): Date {
  return dayOf(day.getUTCFullYear(), day.getUTCMonth() + months, day.getUTCDate() + days)
}

/** A week belongs to the year of its Thursday. */
function weekLabel (monday: Date): string {
  const thursday = later(monday, { days: 3 })
  const newYear = dayOf(thursday.getUTCFullYear(), 0)
  const week = Math.floor((thursday.getTime() - newYear.getTime()) / WEEK) + 1
  return `${yearLabel(thursday)}-W${String(week).padStart(2, '0')}`
}

function yearLabel (day: Date): string {
  return String(day.getUTCFullYear()).padStart(4, '0')
}

/** December belongs to the winter of the next year. */
function seasonLabel (first: Date): string {
  const month = first.getUTCMonth() + 1
  return `${yearLabel(later(first, { months: 1 }))} ${SEASONS[Math.floor(month % 12 / 3)]}`
}

export const SIZES: Record<string, Size> = {
  day: {
    first: day => day,
    label: first => first.toISOString().slice(0, 10),
    next: first => later(first, { days: 1 })
  },
  week: {
    first: day => later(day, { days: -((day.getUTCDay() + 6) % 7) }),
    label: weekLabel,
    next: first => later(first, { days: 7 })
  },
  month: {
    first: day => dayOf(day.getUTCFullYear(), day.getUTCMonth()),
    label: first => first.toISOString().slice(0, 7),
    next: first => later(first, { months: 1 })
  },
  season: {
    first: day => dayOf(day.getUTCFullYear(), day.getUTCMonth() - (day.getUTCMonth() + 1) % 3),
    label: seasonLabel,
    next: first => later(first, { months: 3 })
  },
  year: {
    first: day => dayOf(day.getUTCFullYear(), 0),
    label: yearLabel,
    next: first => later(first, { months: 12 })
  }
}

/** The period that contains a date, or null if the value is not a date. */
export function periodOf (size: Size, value: unknown): Period | null {
  if (typeof value !== 'string' || !DATE.test(value)) return null
  const day = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value) return null
  return periodFrom(size, size.first(day))
}

function periodFrom (size: Size, first: Date): Period {
  return new Period(size.label(first), first.getTime())
}

/** All periods from the earliest to the latest of some. */
export function periodsOver (size: Size, periods: Period[]): Period[] {
  const starts = periods.map(({ start }) => start).sort((a, b) => a - b)
  const found: Period[] = []
  for (let first = new Date(starts[0]); first.getTime() <= starts[starts.length - 1]; first = size.next(first)) {
    found.push(periodFrom(size, first))
  }
  return found
}
