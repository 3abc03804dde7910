// Text files.

import * as fs from 'fs'

import { Fault } from './faults'

/** The lines of a file; in a message, the file has a name of its own. */
export function readLines (path: string): string[] {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(fs.readFileSync(path)).split(/\r?\n/)
  } catch {
    throw new Fault(`cannot read ${path}`)
  }
}
