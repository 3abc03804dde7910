// What each command takes and does: from options to lines.

import type { Options, Shape } from './options'
import { describe, parseLot, type Stock } from './stock'
import { parseQuantity, parseWord } from './values'

export interface Command extends Shape { run: (stock: Stock, options: Options) => string[] }

function add (stock: Stock, options: Options): string[] {
  const given = parseLot(options['<name>'], options['<quantity>'], options['best-before'], options.place)
  stock.add(given)
  return [`added ${given.amount} ${given.unit} of ${given.name}`]
}

function take (stock: Stock, options: Options): string[] {
  const name = parseWord(options['<name>'], 'name')
  const quantity = parseQuantity(options['<quantity>'])
  stock.take(name, quantity)
  return [`took ${quantity.amount} ${quantity.unit} of ${name}`]
}

function list (stock: Stock, options: Options): string[] {
  const totals = (): string[] => [...stock.totals()].map(([name, sum]) => `${name}: ${sum.amount} ${sum.unit}`)
  const lines = 'lots' in options ? stock.ordered().map(describe) : totals()
  return lines.length > 0 ? lines : ['nothing in stock']
}

export const COMMANDS = new Map(Object.entries<Command>({
  add: { run: add, positionals: ['name', 'quantity'], values: ['best-before', 'place'] },
  take: { run: take, positionals: ['name', 'quantity'] },
  list: { run: list, positionals: [], flags: ['lots'] }
}))
