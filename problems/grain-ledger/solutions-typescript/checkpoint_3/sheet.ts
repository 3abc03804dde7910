// Computes settlement sheets.

import { COMMANDS, UsageError } from './commands'
import { Refusal } from './refusal'

const REFUSED = 1
const BAD_USAGE = 2

function main (args: string[]): void {
  const command = COMMANDS.get(args[0] ?? '')
  if (command === undefined) throw new UsageError(`commands are ${[...COMMANDS.keys()].join(', ')}`)
  const rest = args.slice(1)
  if (rest.length < command.least || rest.length > command.most) throw new UsageError(`usage: ${command.usage}`)
  const output = command.run(rest)
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
