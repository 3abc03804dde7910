// The store as a log of changes.

import { Refused } from './errors'
import type { Log } from './log'
import type { Change } from './logformat'
import type { Reading } from './reading'
import type { Entry, Selection, Store, Write } from './records'
import { countUpTo, Versions, type Snapshot } from './versions'

export class LogStore implements Store {
  /** The number of the last version. */
  last: number
  private readonly versions: Versions

  constructor (private readonly log: Log, { changes, last }: Reading) {
    this.last = last
    this.versions = new Versions(changes)
  }

  get newest (): Snapshot {
    return this.versions.at(this.last)
  }

  get (key: string): string | undefined {
    return this.newest.get(key)
  }

  select (selection: Selection): Entry[] {
    return this.newest.select(selection)
  }

  /** Makes changes one new version. */
  write (changes: Write[]): void {
    const sequence = this.last + 1
    const entries = changes.map(([key, value]): Change => ({ kind: 'change', sequence, key, value }))
    this.log.append(entries)
    entries.forEach(change => this.versions.add(change))
    this.last = sequence
  }

  /** The records at a version. */
  asOf (version: number): Snapshot {
    if (version > this.last) throw new Refused(`version ${version} is in the future`)
    return this.versions.at(version)
  }

  /** The changes of a key, the oldest first. */
  history (key: string): Change[] {
    return this.versions.line(key)
  }

  isChangedSince (key: string, version: number): boolean {
    const changes = this.history(key)
    return countUpTo(changes, version) < changes.length
  }
}
