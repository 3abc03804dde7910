// Simulates the boats and locks of a canal.

import { UsageError, parseArguments } from './args'
import { COMMANDS } from './commands'
import { CanalError } from './errors'

function run (args: string[]): string[] {
  const [name = '', ...rest] = args
  const command = COMMANDS.get(name)
  if (command === undefined) throw new UsageError(`unknown command ${name}`)
  return command.run(parseArguments(command, rest))
}

try {
  const lines = run(process.argv.slice(2))
  if (lines.length > 0) process.stdout.write(lines.join('\n') + '\n')
} catch (error) {
  if (error instanceof UsageError) {
    console.error(error.message)
    process.exitCode = 2
  } else if (error instanceof CanalError) {
    console.error(`error: ${error.message}`)
    process.exitCode = 1
  } else {
    throw error
  }
}
