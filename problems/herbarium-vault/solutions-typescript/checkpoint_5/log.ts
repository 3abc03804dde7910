// The log on disk: reading it, cutting it, and appending to it.

import * as fs from 'fs'
import * as path from 'path'

import { framed, HEADER, type Change, type Entry, type Note } from './logformat'
import { FILE, readLog, type Reading } from './reading'

export class Log {
  private readonly path: string
  private file?: number

  constructor (private readonly folder: string) {
    this.path = path.join(folder, FILE)
  }

  exists (): boolean {
    return fs.existsSync(this.path)
  }

  read (): Reading {
    return readLog(fs.readFileSync(this.path))
  }

  /** Writes a whole new log, completely or not at all. */
  create (changes: Change[], notes: Note[] = [], base = 0): void {
    const units = new Map<number, Entry[]>()
    for (const entry of [...changes, ...notes].sort((a, b) => a.sequence - b.sequence)) {
      const unit = units.get(entry.sequence)
      if (unit === undefined) units.set(entry.sequence, [entry])
      else unit.push(entry)
    }
    const first = base > 0 ? framed([{ kind: 'base', sequence: base }]) : ''
    fs.mkdirSync(this.folder, { recursive: true })
    fs.writeFileSync(`${this.path}.new`, HEADER + first + [...units.values()].map(framed).join(''))
    fs.renameSync(`${this.path}.new`, this.path)
    this.close()
  }

  cut (size: number): void {
    fs.truncateSync(this.path, size)
  }

  /** Appends the entries of one version. */
  append (entries: Entry[]): void {
    this.file ??= fs.openSync(this.path, 'a')
    fs.appendFileSync(this.file, framed(entries))
  }

  private close (): void {
    if (this.file !== undefined) fs.closeSync(this.file)
    this.file = undefined
  }
}
