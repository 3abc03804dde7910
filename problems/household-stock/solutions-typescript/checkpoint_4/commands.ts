// What each command takes and does: from options to lines.

import { readLots, writeLots } from './formats'
import type { History } from './history'
import type { Options, Shape } from './options'
import * as query from './query'
import * as report from './report'
import { describe, parseLot, type Stock } from './stock'
import { parseCount, parseDate, parseQuantity, parseWord } from './values'

/** Lines to print and, where the stock was changed, what the history says of it. */
interface Outcome { lines: string[], change?: string }

export interface Command extends Shape { run: (history: History, options: Options) => string[] }

/** The name that a user's word stands for. */
function named (stock: Stock, text: string): string {
  return stock.resolve(parseWord(text, 'name'))
}

function add (stock: Stock, options: Options): Outcome {
  const given = parseLot(options['<name>'], options['<quantity>'], options['best-before'], options.place)
  const { name, amount, unit } = stock.add(given)
  const what = `${amount} ${unit} of ${name}`
  return { lines: [`added ${what}`], change: `add ${what}` }
}

function take (stock: Stock, options: Options): Outcome {
  const name = named(stock, options['<name>'])
  const quantity = parseQuantity(options['<quantity>'])
  stock.take(name, quantity)
  const what = `${quantity.amount} ${quantity.unit} of ${name}`
  return { lines: [`took ${what}`], change: `take ${what}` }
}

function list (stock: Stock, options: Options): Outcome {
  const totals = (): string[] => [...stock.totals()].map(([name, sum]) => `${name}: ${sum.amount} ${sum.unit}`)
  const lines = 'lots' in options ? stock.ordered().map(describe) : totals()
  return { lines: lines.length > 0 ? lines : ['nothing in stock'] }
}

function importLots (stock: Stock, options: Options): Outcome {
  const file = options['<file>']
  const before = stock.lots.length
  readLots(file, lot => stock.add(lot))
  const count = stock.lots.length - before
  return { lines: [`lots imported: ${count}`], change: `import ${file} (${count} lots)` }
}

function exportLots (stock: Stock, options: Options): Outcome {
  const lots = stock.ordered()
  writeLots(lots, options['<file>'])
  return { lines: [`lots exported: ${lots.length}`] }
}

function move (stock: Stock, options: Options): Outcome {
  const name = named(stock, options['<name>'])
  const place = parseWord(options['<place>'], 'place')
  const origin = 'from' in options ? parseWord(options.from, 'place') : undefined
  const count = stock.move(name, place, origin)
  return { lines: [`lots moved: ${count}`], change: `move ${name} to ${place} (${count} lots)` }
}

function find (stock: Stock, options: Options): Outcome {
  const lots = query.choose(stock.ordered(), options)
  if ('count' in options) return { lines: [`lots: ${lots.length}`] }
  return { lines: lots.length > 0 ? lots.map(describe) : ['no lots found'] }
}

function print (what: report.Report, options: Options): Outcome {
  return { lines: [report.FORMATS[options.format ?? 'text'](what)] }
}

function printReport (stock: Stock, options: Options): Outcome {
  return print(report.groups(query.choose(stock.lots, options), options.by), options)
}

function alias (stock: Stock, options: Options): Outcome {
  const other = parseWord(options['<other>'], 'name')
  const name = named(stock, options['<name>'])
  stock.alias(other, name)
  return { lines: [`${other} means ${name}`], change: `alias ${other} to ${name}` }
}

function minimum (stock: Stock, options: Options): Outcome {
  const name = named(stock, options['<name>'])
  if (options['<quantity>'] === 'none') {
    stock.dropMinimum(name)
    return { lines: [`no minimum for ${name}`], change: `minimum of ${name} none` }
  }
  const quantity = parseQuantity(options['<quantity>'])
  stock.setMinimum(name, quantity)
  const what = `${quantity.amount} ${quantity.unit}`
  return { lines: [`minimum of ${name} is ${what}`], change: `minimum of ${name} ${what}` }
}

function expire (stock: Stock, options: Options): Outcome {
  const date = parseDate(options['<date>'])
  const lots = stock.expire(date)
  if (lots.length === 0) return { lines: ['nothing to throw away'] }
  const told = lots.map(lot => `threw away ${lot.amount} ${lot.unit} of ${lot.name}, best before ${lot.bestBefore}`)
  return { lines: told, change: `expire ${date} (${lots.length} lots)` }
}

/** Makes a command on the stock one on the history, which remembers the change. */
function onStock (command: (stock: Stock, options: Options) => Outcome): Command['run'] {
  return (history, options) => {
    const before = history.stock.state()
    const { lines, change } = command(history.stock, options)
    if (change !== undefined) history.record(change, before)
    return lines
  }
}

function showHistory (history: History): string[] {
  const lines = history.done.map(({ description }, at) => `${at + 1}. ${description}`)
  return lines.length > 0 ? lines : ['no changes']
}

function undo (history: History, options: Options): string[] {
  return history.undo(parseCount(options['<count>'] ?? '1')).map(what => `undone: ${what}`)
}

function redo (history: History, options: Options): string[] {
  return history.redo(parseCount(options['<count>'] ?? '1')).map(what => `redone: ${what}`)
}

const format = Object.keys(report.FORMATS)

export const COMMANDS = new Map(Object.entries<Command>({
  add: { run: onStock(add), positionals: ['name', 'quantity'], values: ['best-before', 'place'] },
  take: { run: onStock(take), positionals: ['name', 'quantity'] },
  list: { run: onStock(list), positionals: [], flags: ['lots'] },
  import: { run: onStock(importLots), positionals: ['file'] },
  export: { run: onStock(exportLots), positionals: ['file'] },
  move: { run: onStock(move), positionals: ['name', 'place'], values: ['from'] },
  find: { run: onStock(find), positionals: [], values: query.VALUES, flags: ['count', ...query.FLAGS] },
  report: {
    run: onStock(printReport),
    positionals: [],
    values: ['by', 'format', ...query.VALUES],
    flags: query.FLAGS,
    required: ['by'],
    choices: { by: Object.keys(report.KEYS), format }
  },
  alias: { run: onStock(alias), positionals: ['other', 'name'] },
  minimum: { run: onStock(minimum), positionals: ['name', 'quantity'] },
  shopping: {
    run: onStock((stock, options) => print(report.needs(stock), options)),
    positionals: [],
    values: ['format'],
    choices: { format }
  },
  expire: { run: onStock(expire), positionals: ['date'] },
  history: { run: showHistory, positionals: [] },
  undo: { run: undo, positionals: [], optional: 'count' },
  redo: { run: redo, positionals: [], optional: 'count' }
}))
