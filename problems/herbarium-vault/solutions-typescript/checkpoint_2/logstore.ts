// The store as a log of changes.

import type { Log } from './log'
import type { Change } from './logformat'
import type { Reading } from './reading'
import { Records, type Entry, type Selection, type Store, type Write } from './records'

export class LogStore implements Store {
  private readonly records = new Records()
  private last: number

  constructor (private readonly log: Log, { changes, last }: Reading) {
    this.last = last
    this.records.write(changes.map(({ key, value }) => [key, value]))
  }

  get (key: string): string | undefined {
    return this.records.get(key)
  }

  select (selection: Selection): Entry[] {
    return this.records.select(selection)
  }

  write (changes: Write[]): void {
    for (const [key, value] of changes) {
      const change: Change = { sequence: this.last + 1, key, value }
      this.log.append(change)
      this.last++
    }
    this.records.write(changes)
  }
}
