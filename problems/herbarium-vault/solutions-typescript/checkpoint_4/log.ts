// The log on disk: reading it, cutting it, and appending to it.

import * as fs from 'fs'
import * as path from 'path'

import { framed, HEADER, type Change } from './logformat'
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
  create (changes: Change[]): void {
    fs.mkdirSync(this.folder, { recursive: true })
    fs.writeFileSync(`${this.path}.new`, HEADER + changes.map(change => framed([change])).join(''))
    fs.renameSync(`${this.path}.new`, this.path)
  }

  cut (size: number): void {
    fs.truncateSync(this.path, size)
  }

  /** Appends the changes of one version. */
  append (changes: Change[]): void {
    this.file ??= fs.openSync(this.path, 'a')
    fs.appendFileSync(this.file, framed(changes))
  }
}
