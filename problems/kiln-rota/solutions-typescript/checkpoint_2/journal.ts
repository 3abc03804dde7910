// State on disk: the requests that changed something, one on each line, to be done again at the start.

import * as fs from 'fs'
import * as path from 'path'

interface Entry { method: string, path: string, body: string }

export class Journal {
  private readonly path: string
  private readonly file: number

  constructor (folder: string) {
    fs.mkdirSync(folder, { recursive: true })
    this.path = path.join(folder, 'journal.jsonl')
    this.file = fs.openSync(this.path, 'a')
  }

  append (entry: Entry): void {
    fs.appendFileSync(this.file, JSON.stringify(entry) + '\n')
  }

  /** All whole entries. Anything that a kill has cut off at the end is removed. */
  entries (): Entry[] {
    const text = fs.readFileSync(this.path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole !== text) fs.truncateSync(this.path, Buffer.byteLength(whole))
    return whole.split('\n').slice(0, -1).map(line => JSON.parse(line))
  }
}
