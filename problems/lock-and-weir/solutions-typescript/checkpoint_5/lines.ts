// Lines of a scenario: a word, a name, and options that are written KEY=VALUE.

import { CanalError } from './errors'

/** Reads a value, and gives nothing for a wrong one. */
type ReadValue = (text: string) => number | string | undefined

export interface Option {
  read: ReadValue
  required?: boolean
  default?: number | string
}

/** Options by key, in the order in which missing ones are reported. */
export type Options = Record<string, Option>

export type Values = Record<string, any>

/** The words of a line that has any, and its number. */
export interface Line { number: number, words: string[] }

export function number (low: number, high: number): ReadValue {
  return text => {
    const isRight = /^[0-9]{1,6}$/.test(text) && Number(text) >= low && Number(text) <= high
    return isRight ? Number(text) : undefined
  }
}

export function choice (...texts: string[]): ReadValue {
  return text => texts.find(known => known === text)
}

export function name (text: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9-]{0,23}$/.test(text) ? text : undefined
}

export function required (read: ReadValue): Option {
  return { read, required: true }
}

export function splitLines (text: string): Line[] {
  return text.split('\n')
    .map((line, at) => ({ number: at + 1, words: line.replace(/#.*/s, '').split(/\s+/).filter(word => word !== '') }))
    .filter(({ words }) => words.length > 0)
}

export function readName (word?: string): string {
  if (word === undefined) throw new CanalError('missing name')
  if (name(word) === undefined) throw new CanalError(`bad name '${word}'`)
  return word
}

export function readOptions (options: Options, words: string[]): Values {
  const values: Values = {}
  for (const word of words) {
    const [key, value] = readOption(options, word)
    if (key in values) throw new CanalError(`${key} given twice`)
    values[key] = options[key].read(value)
    if (values[key] === undefined) throw new CanalError(`bad value '${value}' for ${key}`)
  }
  for (const [key, option] of Object.entries(options)) {
    if (option.required === true && !(key in values)) throw new CanalError(`missing ${key}`)
    values[key] ??= option.default
  }
  return values
}

function readOption (options: Options, word: string): [string, string] {
  const [, key, value] = /^([^=]*)=(.*)$/s.exec(word) ?? []
  if (key === undefined || !Object.hasOwn(options, key)) throw new CanalError(`bad option '${word}'`)
  return [key, value]
}
