// A record store for the specimens of a collection.

import * as fs from 'fs'

import { Batch } from './batch'
import { understand } from './commands'
import { NotUnderstood, Refused } from './errors'
import { Folder } from './folder'
import { Session } from './session'

function say (line: string): void {
  process.stdout.write(line + '\n')
}

/** Runs what the words ask for. Returns whether all of it was done. */
function run ([option, path, ...words]: string[]): boolean {
  if (option !== '--dir' || words.length === 0) throw new NotUnderstood('usage: --dir FOLDER COMMAND ...')
  if (words.length === 1 && words[0] === 'batch') {
    return new Batch(new Folder(path), say).run(fs.readFileSync(0, 'utf8'))
  }
  const { command, args } = understand(words)
  command.run(new Session(new Folder(path)), args).forEach(say)
  return true
}

try {
  process.exitCode = run(process.argv.slice(2)) ? 0 : 1
} catch (error) {
  if (error instanceof NotUnderstood) {
    console.error(error.message)
    process.exitCode = 2
  } else if (error instanceof Refused) {
    console.error(`error: ${error.message}`)
    process.exitCode = 1
  } else {
    throw error
  }
}
