// The file that keeps the pantry between runs.

import * as fs from 'fs'

import { History } from './history'
import { PantryError } from './values'

const PATH = 'pantry.json'

export function load (): History {
  if (!fs.existsSync(PATH)) return new History()
  try {
    return new History(JSON.parse(fs.readFileSync(PATH, 'utf8')))
  } catch {
    throw new PantryError(`${PATH} is damaged`)
  }
}

/** Writes beside the file first, so that an interrupted run leaves the old state. */
export function save (history: History): void {
  fs.writeFileSync(`${PATH}.new`, JSON.stringify(history.saved()))
  fs.renameSync(`${PATH}.new`, PATH)
}
