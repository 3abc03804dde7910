// Command lines: what a command takes, and what it was given.

/** Values by name; a flag that was given has an empty one. */
export type Options = Record<string, string>

/** What a command takes. */
export interface Shape {
  positionals: string[]
  /** Options with a value. */
  values?: string[]
  /** Options without one. */
  flags?: string[]
  /** Options that must be given. */
  required?: string[]
  /** Values that an option may have. */
  choices?: Record<string, string[]>
}

/** A command line that cannot be understood. */
export class UsageError extends Error {}

const isOption = (arg: string): boolean => /^-(?!$|[0-9.]+$)[^\s]*/.test(arg) && !arg.includes(' ')

export function parse (shape: Shape, args: string[]): Options {
  const options: Options = {}
  const free: string[] = []
  const rest = [...args]
  while (rest.length > 0) {
    const arg = rest.shift()!
    if (isOption(arg)) readOption(shape, arg, rest, options)
    else free.push(arg)
  }
  const names = shape.positionals
  if (free.length < names.length) throw new UsageError(`missing ${names[free.length]}`)
  if (free.length > names.length) throw new UsageError(`unexpected ${free[names.length]}`)
  free.forEach((value, at) => { options[`<${names[at]}>`] = value })
  check(shape, options)
  return options
}

/** Reads an option and, where it has one, its value, from `--name=value` or from what follows. */
function readOption (shape: Shape, arg: string, rest: string[], options: Options): void {
  const [, name, given] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (shape.flags?.includes(name) === true && given === undefined) {
    options[name] = ''
    return
  }
  if (shape.values?.includes(name) !== true) throw new UsageError(`unknown option ${arg}`)
  const value = given ?? (rest.length > 0 && !isOption(rest[0]) ? rest.shift() : undefined)
  if (value === undefined) throw new UsageError(`${arg} needs a value`)
  options[name] = value
}

function check (shape: Shape, options: Options): void {
  const missing = shape.required?.find(name => !(name in options))
  if (missing !== undefined) throw new UsageError(`missing --${missing}`)
  for (const [name, choices] of Object.entries(shape.choices ?? {})) {
    if (name in options && !choices.includes(options[name])) throw new UsageError(`bad --${name}`)
  }
}
