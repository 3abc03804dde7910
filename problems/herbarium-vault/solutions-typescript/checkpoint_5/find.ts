// Terms: texts and whole numbers in values that are JSON objects.

import type { Change } from './logformat'
import { compareKeys, type Entry } from './records'

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g

/** The term of a value at a path, if there is one. */
export function termOf (value: string, path: string): string | undefined {
  let found = parseTagged(value)
  for (const name of path.split('.')) found = fieldOf(found, `t${name}`)
  const match = typeof found === 'string' ? /^(?:t(.*)|n(-?[0-9]+))$/s.exec(found) : null
  return match === null ? undefined : match[1] ?? match[2]
}

/** A JSON text in which texts begin with `t`, and numbers are texts that begin with `n`. */
function parseTagged (text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return JSON.parse(text.replace(JSON_TOKEN, token => token.startsWith('"') ? `"t${token.slice(1)}` : `"n${token}"`))
}

function fieldOf (value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** The keys that ever had each term at a path. */
export class Index {
  private readonly keys = new Map<string, Set<string>>()

  constructor (private readonly path: string, changes: Change[]) {
    changes.forEach(change => this.add(change))
  }

  add ({ key, value }: Change): void {
    const term = value === undefined ? undefined : termOf(value, this.path)
    if (term === undefined) return
    const keys = this.keys.get(term)
    if (keys === undefined) this.keys.set(term, new Set([key]))
    else keys.add(key)
  }

  candidates (term: string): string[] {
    return [...this.keys.get(term) ?? []]
  }
}

/** The records that have a term at a path, among those of some keys. */
export function havingTerm (
  keys: Iterable<string>, get: (key: string) => string | undefined, path: string, term: string
): Entry[] {
  return [...new Set(keys)].sort(compareKeys).flatMap(key => {
    const value = get(key)
    return value !== undefined && termOf(value, path) === term ? [[key, value] as Entry] : []
  })
}
