// What stands behind a command's name.

import { refused } from './refusal'

/** A command line that cannot be understood. */
export class UsageError extends Error {}

const STEPS_OPTION = '--steps'

/** Splits off the option that sets another limit of steps, where a command takes it. */
export function stepsOption (args: string[]): { limit?: string, rest: string[] } {
  if (args[0] !== STEPS_OPTION) return { rest: args }
  return { limit: args[1], rest: args.slice(2) }
}

/** A whole number of at least 1. */
export function wholeNumber (text: string, what: string): number {
  const number = /^[0-9]+$/.test(text) ? Number(text) : 0
  if (number < 1) throw refused(`bad ${what} '${text}'`)
  return number
}
