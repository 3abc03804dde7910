// What users write on the command line and in files: names, quantities, dates, places.

export type Unit = 'g' | 'ml' | 'pc'

export interface Quantity { amount: number, unit: Unit }

const UNITS = new Map<string, [Unit, number]>([
  ['g', ['g', 1]], ['kg', ['g', 1000]], ['ml', ['ml', 1]], ['l', ['ml', 1000]], ['pc', ['pc', 1]]
])

/** A request that is refused; the message is for the user. */
export class PantryError extends Error {}

/** A name or a place, in the form in which it is compared. */
export function parseWord (text: string, kind: string): string {
  const word = text.trim().toLowerCase()
  if (word === '') throw new PantryError(`empty ${kind}`)
  return word
}

export function parseQuantity (text: string): Quantity {
  const match = /^([0-9]+)([a-z]+)$/.exec(text)
  const [unit, factor] = UNITS.get(match?.[2] ?? '') ?? ['g', 0]
  const amount = Number(match?.[1] ?? 0) * factor
  if (amount === 0) throw new PantryError(`bad quantity '${text}'`)
  return { amount, unit }
}

/** The date as text; such texts sort as dates do. */
export function parseDate (text: string): string {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text)
  const [year, month, day] = (match ?? []).slice(1).map(Number)
  if (match === null || year === 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    throw new PantryError(`bad date '${text}'`)
  }
  return text
}

function daysIn (year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
