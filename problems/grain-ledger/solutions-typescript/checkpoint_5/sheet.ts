// Computes settlement sheets.

import { UsageError } from './arguments'
import { runCommand } from './commands'
import { Refusal } from './refusal'

const REFUSED = 1
const BAD_USAGE = 2

function main (args: string[]): void {
  const output = runCommand(args)
  process.stdout.write(output.lines.map(line => `${line}\n`).join(''))
  process.exitCode = output.exitCode ?? 0
}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (error instanceof Refusal) {
    process.stderr.write(error.lines.map(line => `${line}\n`).join(''))
    process.exitCode = REFUSED
  } else if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = BAD_USAGE
  } else {
    throw error
  }
}
