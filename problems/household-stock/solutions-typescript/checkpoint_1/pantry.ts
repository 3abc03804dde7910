// Keeps track of what is in a pantry.

import { COMMANDS } from './commands'
import { parse, UsageError } from './options'
import { load, save } from './store'
import { PantryError } from './values'

function run (args: string[]): string[] {
  const command = COMMANDS.get(args[0] ?? '')
  if (command === undefined) throw new UsageError(`commands are ${[...COMMANDS.keys()].join(', ')}`)
  const options = parse(command, args.slice(1))
  const stock = load()
  const lines = command.run(stock, options)
  save(stock)
  return lines
}

try {
  console.log(run(process.argv.slice(2)).join('\n'))
} catch (error) {
  if (!(error instanceof PantryError || error instanceof UsageError)) throw error
  console.error(`error: ${error.message}`)
  process.exitCode = error instanceof PantryError ? 1 : 2
}
