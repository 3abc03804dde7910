// Transactions: a version, and changes that nobody else sees yet.

import { Refused } from './errors'
import type { LogStore } from './logstore'
import { compareKeys, isSelected, type Entry, type Selection, type Store, type Write } from './records'
import type { Snapshot } from './versions'

export class Transaction implements Store {
  private readonly base: Snapshot
  private readonly writes = new Map<string, string | undefined>()
  /** The keys that the transaction depends on. */
  private readonly named = new Set<string>()

  constructor (private readonly store: LogStore) {
    this.base = store.newest
  }

  get begunAt (): number {
    return this.base.version
  }

  get (key: string): string | undefined {
    this.named.add(key)
    return this.peek(key)
  }

  /** The value of a key, without depending on it. */
  peek (key: string): string | undefined {
    return this.writes.has(key) ? this.writes.get(key) : this.base.get(key)
  }

  select (selection: Selection): Entry[] {
    const values = new Map<string, string | undefined>(this.base.select(selection))
    for (const [key, value] of this.writes) {
      if (isSelected(key, selection)) values.set(key, value)
    }
    return [...values]
      .filter((entry): entry is Entry => entry[1] !== undefined)
      .sort(([a], [b]) => compareKeys(a, b))
  }

  write (changes: Write[]): void {
    for (const [key, value] of changes) {
      this.named.add(key)
      this.writes.set(key, value)
    }
  }

  /** Makes the changes a new version, and returns its number if there are any. */
  commit (): number | undefined {
    const changes = [...this.writes]
      .filter(([key, value]) => value !== undefined || this.base.get(key) !== undefined)
      .sort(([a], [b]) => compareKeys(a, b))
    if (changes.length === 0) return undefined
    const [conflict] = [...this.named].filter(key => this.store.isChangedSince(key, this.begunAt)).sort(compareKeys)
    if (conflict !== undefined) throw new Refused(`conflict on ${conflict}`)
    this.store.write(changes)
    return this.store.last
  }
}
