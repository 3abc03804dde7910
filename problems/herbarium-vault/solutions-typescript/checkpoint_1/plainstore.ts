// The store as one JSON file that is written again at each change.

import * as fs from 'fs'
import * as path from 'path'

import { Records, type Entry, type Selection, type Store, type Write } from './records'

export class PlainStore implements Store {
  private readonly path: string
  private readonly records: Records

  constructor (private readonly folder: string) {
    this.path = path.join(folder, 'records.json')
    this.records = new Records(fs.existsSync(this.path) ? JSON.parse(fs.readFileSync(this.path, 'utf8')) : [])
  }

  get (key: string): string | undefined {
    return this.records.get(key)
  }

  select (selection: Selection): Entry[] {
    return this.records.select(selection)
  }

  write (changes: Write[]): void {
    this.records.write(changes)
    this.save()
  }

  /** Writes to another file first, so that an interrupted run leaves the old state. */
  private save (): void {
    fs.mkdirSync(this.folder, { recursive: true })
    fs.writeFileSync(`${this.path}.new`, JSON.stringify(this.select({})))
    fs.renameSync(`${this.path}.new`, this.path)
  }
}
