// The files of the chest: all sheets are in one file, so no path of a sheet is ever a path of a file.

import * as fs from 'fs'
import { join } from 'path'

import { Refusal } from './refusal'

export type Sheets = Map<string, string>

export class Store {
  readonly sheets: Sheets

  constructor (private readonly folder: string) {
    this.sheets = new Map(this.load('sheets.json'))
  }

  load (name: string): any[] {
    const path = join(this.folder, name)
    return fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : []
  }

  save (): void {
    this.write('sheets.json', [...this.sheets])
  }

  /** Replaces a file as a whole. */
  write (name: string, value: unknown[]): void {
    fs.mkdirSync(this.folder, { recursive: true })
    const path = join(this.folder, name)
    fs.writeFileSync(path + '.new', JSON.stringify(value))
    fs.renameSync(path + '.new', path)
  }

  sheet (path: string): string {
    const sheet = this.sheets.get(path)
    if (sheet === undefined) throw new Refusal('no such sheet')
    return sheet
  }
}
