// The lots in the pantry, the rules for them, and what may be done with both.

import { PantryError, parseDate, parseQuantity, parseWord, type Quantity, type Unit } from './values'

export const DEFAULT_PLACE = 'shelf'

export interface Lot {
  readonly name: string
  readonly amount: number
  readonly unit: Unit
  readonly bestBefore: string | null
  readonly place: string
}

export interface State {
  lots: Lot[]
  aliases: Array<[string, string]>
  minimums: Array<[string, Quantity]>
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

function requireUnit (name: string, keptIn: Unit | undefined, unit: Unit | undefined): void {
  if (keptIn !== undefined && unit !== undefined && keptIn !== unit) {
    throw new PantryError(`${name} is kept in ${keptIn}`)
  }
}

/** All lots in the order in which they were added, aliases, and minimums. */
export class Stock {
  lots: Lot[]
  readonly aliases: Map<string, string>
  readonly minimums: Map<string, Quantity>

  constructor (state?: State) {
    this.lots = [...state?.lots ?? []]
    this.aliases = new Map(state?.aliases)
    this.minimums = new Map(state?.minimums)
  }

  /** A copy that later changes do not reach. */
  state (): State {
    return { lots: [...this.lots], aliases: [...this.aliases], minimums: [...this.minimums] }
  }

  resolve (name: string): string {
    return this.aliases.get(name) ?? name
  }

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

  unitInStock (name: string): Unit | undefined {
    return this.lots.find(lot => lot.name === name)?.unit
  }

  /** The unit of a name's lots, else of its minimum. */
  unitOf (name: string): Unit | undefined {
    return this.unitInStock(name) ?? this.minimums.get(name)?.unit
  }

  /** Adds a lot under the name that its own stands for; gives the lot as it was added. */
  add (given: Lot): Lot {
    const lot = { ...given, name: this.resolve(given.name) }
    requireUnit(lot.name, this.unitOf(lot.name), lot.unit)
    this.lots.push(lot)
    return lot
  }

  take (name: string, { amount, unit }: Quantity): void {
    const lots = this.lotsOf(name)
    requireUnit(name, lots[0].unit, unit)
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

  /** Removes the lots that are best before an earlier date; gives them in listing order. */
  expire (date: string): Lot[] {
    const old = new Set(this.ordered().filter(lot => lot.bestBefore !== null && lot.bestBefore < date))
    this.lots = this.lots.filter(lot => !old.has(lot))
    return [...old]
  }

  alias (other: string, name: string): void {
    if (other === name) throw new PantryError(`cannot alias ${name} to itself`)
    requireUnit(name, this.unitOf(name), this.unitOf(other))
    this.lots = this.lots.map(lot => lot.name === other ? { ...lot, name } : lot)
    const minimum = this.minimums.get(other)
    this.minimums.delete(other)
    if (minimum !== undefined && !this.minimums.has(name)) this.minimums.set(name, minimum)
    for (const [key, target] of this.aliases) {
      if (target === other) this.aliases.set(key, name)
    }
    this.aliases.set(other, name)
  }

  setMinimum (name: string, quantity: Quantity): void {
    requireUnit(name, this.unitInStock(name), quantity.unit)
    this.minimums.set(name, quantity)
  }

  dropMinimum (name: string): void {
    if (!this.minimums.delete(name)) throw new PantryError(`no minimum for ${name}`)
  }

  private shrink (lot: Lot, used: number): void {
    const rest = used < lot.amount ? [{ ...lot, amount: lot.amount - used }] : []
    this.lots.splice(this.lots.indexOf(lot), 1, ...rest)
  }
}
