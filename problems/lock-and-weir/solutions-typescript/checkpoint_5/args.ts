// Command lines.

/** A command line that is not valid. */
export class UsageError extends Error {}

/** What a command was given, by the names that it has for it. */
export type Arguments = Partial<Record<string, string>>

export interface Command {
  positionals: string[]
  /** Options with a value. */
  options?: string[]
  run: (args: Arguments) => string[]
}

export function parseArguments ({ positionals, options = [] }: Command, args: string[]): Arguments {
  const given: Arguments = {}
  const free: string[] = []
  const rest = [...args]
  while (rest.length > 0) {
    const arg = rest.shift()!
    if (/^-./.test(arg)) readOption(arg, options, rest, given)
    else free.push(arg)
  }
  if (free.length !== positionals.length) throw new UsageError(`expected ${positionals.join(' ')}`)
  if (given.save !== undefined && given.until === undefined) throw new UsageError('--save needs --until')
  positionals.forEach((name, at) => { given[name] = free[at] })
  return given
}

function readOption (arg: string, options: string[], rest: string[], given: Arguments): void {
  const [, name, own] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (!options.includes(name)) throw new UsageError(`unknown option ${arg}`)
  const value = own ?? (/^-./.test(rest[0] ?? '') ? undefined : rest.shift())
  if (value === undefined) throw new UsageError(`${arg} needs a value`)
  given[name] = value
}
