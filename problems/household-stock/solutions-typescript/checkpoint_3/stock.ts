// The lots in the pantry and what may be done with them.

import { PantryError, parseDate, parseQuantity, parseWord, type Quantity, type Unit } from './values'

export const DEFAULT_PLACE = 'shelf'

export interface Lot {
  readonly name: string
  readonly amount: number
  readonly unit: Unit
  readonly bestBefore: string | null
  readonly place: string
}

export function describe (lot: Lot): string {
  const dated = lot.bestBefore === null ? '' : `, best before ${lot.bestBefore}`
  return `${lot.name}: ${lot.amount} ${lot.unit}${dated}, ${lot.place}`
}

/** A lot from the texts of a user; the order of the checks is part of the contract. */
export function parseLot (name: string, quantity: string, bestBefore?: string, place = DEFAULT_PLACE): Lot {
  const parsed = { name: parseWord(name, 'name'), ...parseQuantity(quantity) }
  const date = bestBefore === undefined ? null : parseDate(bestBefore)
  return { ...parsed, bestBefore: date, place: parseWord(place, 'place') }
}

export function compare (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** By name, then in taking order; sorting is stable, so equals stay as they were added. */
function listingOrder (a: Lot, b: Lot): number {
  const undated = Number(a.bestBefore === null) - Number(b.bestBefore === null)
  return compare(a.name, b.name) || undated || compare(a.bestBefore ?? '', b.bestBefore ?? '')
}

/** All lots in the order in which they were added. */
export class Stock {
  constructor (public lots: Lot[] = []) {}

  ordered (): Lot[] {
    return [...this.lots].sort(listingOrder)
  }

  /** The lots of a name in taking order; at least one. */
  lotsOf (name: string): Lot[] {
    const lots = this.ordered().filter(lot => lot.name === name)
    if (lots.length === 0) throw new PantryError(`no ${name} in stock`)
    return lots
  }

  /** For each name in order: the sum of its lots. */
  totals (): Map<string, Quantity> {
    const sums = new Map<string, Quantity>()
    for (const { name, amount, unit } of this.ordered()) {
      sums.set(name, { amount: (sums.get(name)?.amount ?? 0) + amount, unit })
    }
    return sums
  }

  add (lot: Lot): void {
    this.requireUnit(lot.name, lot.unit)
    this.lots.push(lot)
  }

  take (name: string, { amount, unit }: Quantity): void {
    const lots = this.lotsOf(name)
    this.requireUnit(name, unit)
    const available = lots.reduce((sum, lot) => sum + lot.amount, 0)
    if (available < amount) throw new PantryError(`only ${available} ${unit} of ${name} left`)
    for (const lot of lots) {
      const used = Math.min(amount, lot.amount)
      this.shrink(lot, used)
      amount -= used
    }
  }

  /** Moves the lots of a name, of one place or of all; gives how many. */
  move (name: string, place: string, origin?: string): number {
    const chosen = new Set(this.lotsOf(name).filter(lot => origin === undefined || lot.place === origin))
    if (chosen.size === 0) throw new PantryError(`no ${name} in ${origin}`)
    this.lots = this.lots.map(lot => chosen.has(lot) ? { ...lot, place } : lot)
    return chosen.size
  }

  private requireUnit (name: string, unit: Unit): void {
    const keptIn = this.lots.find(lot => lot.name === name)?.unit
    if (keptIn !== undefined && keptIn !== unit) throw new PantryError(`${name} is kept in ${keptIn}`)
  }

  private shrink (lot: Lot, used: number): void {
    const rest = used < lot.amount ? [{ ...lot, amount: lot.amount - used }] : []
    this.lots.splice(this.lots.indexOf(lot), 1, ...rest)
  }
}
