// The file that keeps the pantry between runs.

import * as fs from 'fs'

import { Stock } from './stock'
import { PantryError } from './values'

const PATH = 'pantry.json'

export function load (): Stock {
  if (!fs.existsSync(PATH)) return new Stock()
  try {
    return new Stock(JSON.parse(fs.readFileSync(PATH, 'utf8')).lots)
  } catch {
    throw new PantryError(`${PATH} is damaged`)
  }
}

/** Writes beside the file first, so that an interrupted run leaves the old state. */
export function save (stock: Stock): void {
  fs.writeFileSync(`${PATH}.new`, JSON.stringify({ lots: stock.lots }))
  fs.renameSync(`${PATH}.new`, PATH)
}
