// Command lines.

/** A command line that is not valid. */
export class UsageError extends Error {}

/** What a command was given, by the names that it has for it. */
export type Arguments = Record<string, string>

export interface Command {
  positionals: string[]
  run: (args: Arguments) => string[]
}

export function parseArguments ({ positionals }: Command, args: string[]): Arguments {
  const option = args.find(arg => /^-./.test(arg))
  if (option !== undefined) throw new UsageError(`unknown option ${option}`)
  if (args.length !== positionals.length) throw new UsageError(`expected ${positionals.join(' ')}`)
  return Object.fromEntries(positionals.map((name, at) => [name, args[at]]))
}
