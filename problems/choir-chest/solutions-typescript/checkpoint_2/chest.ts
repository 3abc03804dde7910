// The chest: keeps the sheets of a union of choirs in a folder.

import * as fs from 'fs'

import { COMMANDS } from './commands'
import { Refusal } from './refusal'
import { Store } from './store'

type Outcome = { output: string | Buffer } | { reason: string }

function run (store: Store, name: string, args: string[]): Outcome {
  try {
    return { output: COMMANDS.get(name)?.run(store, args) ?? '' }
  } catch (error) {
    if (error instanceof Refusal) return { reason: `refused: ${error.message}` }
    throw error
  }
}

function main ([folder, name, ...args]: string[]): number {
  if (name === undefined || COMMANDS.get(name)?.count !== args.length) {
    fs.writeSync(2, 'usage: chest DIR COMMAND [ARGUMENT ...]\n')
    return 2
  }
  const outcome = run(new Store(folder), name, args)
  if ('reason' in outcome) {
    fs.writeSync(2, outcome.reason + '\n')
    return 1
  }
  writeAll(Buffer.from(outcome.output))
  return 0
}

/** Writes all bytes, also to a pipe that takes only some of them at a time. */
function writeAll (bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(1, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

process.exitCode = main(process.argv.slice(2))
