// All versions of all records.

import type { Change } from './logformat'
import { compareKeys, KeySet, type Entry, type Selection, type Source } from './records'

/** The number of the changes up to a version. */
export function countUpTo (changes: Change[], version: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle].sequence <= version) low = middle + 1
    else high = middle
  }
  return low
}

export class Versions {
  private readonly lines = new Map<string, Change[]>()
  private readonly keys = new KeySet([])

  constructor (changes: Change[]) {
    changes.forEach(change => this.add(change))
  }

  add (change: Change): void {
    const line = this.lines.get(change.key)
    if (line !== undefined) {
      line.push(change)
      return
    }
    this.lines.set(change.key, [change])
    this.keys.add(change.key)
  }

  /** The changes of a key, the oldest first. */
  line (key: string): Change[] {
    return this.lines.get(key) ?? []
  }

  at (version: number): Snapshot {
    return new Snapshot(this, version)
  }

  /** The chosen keys that ever had a record. */
  select (selection: Selection): string[] {
    return this.keys.select(selection)
  }
}

/** The records as they were at a version. */
export class Snapshot implements Source {
  constructor (private readonly versions: Versions, readonly version: number) {}

  get (key: string): string | undefined {
    const changes = this.versions.line(key)
    return changes[countUpTo(changes, this.version) - 1]?.value
  }

  select (selection: Selection): Entry[] {
    return this.versions.select(selection).flatMap(key => {
      const value = this.get(key)
      return value === undefined ? [] : [[key, value] as Entry]
    })
  }
}

export interface Difference { key: string, before?: string, after?: string }

/** The keys whose records differ, in key order, with both values. */
export function differences (before: Source, after: Source): Difference[] {
  const old = new Map(before.select({}))
  const fresh = new Map(after.select({}))
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort(compareKeys)
  return keys
    .map(key => ({ key, before: old.get(key), after: fresh.get(key) }))
    .filter(({ before, after }) => before !== after)
}
