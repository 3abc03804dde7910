// State on disk: a journal with one line for each request that changed something. Until it is
// written, all changes of a request can be taken back.

import * as fs from 'fs'
import * as path from 'path'

import { State, type Entry } from './state'

export class Store extends State {
  private readonly file: number
  private pending: Entry[] = []
  private undos: Array<() => void> = []

  constructor (folder: string) {
    super()
    fs.mkdirSync(folder, { recursive: true })
    const journal = path.join(folder, 'journal.jsonl')
    this.replay(journal)
    this.file = fs.openSync(journal, 'a')
  }

  put (entry: Entry): void {
    this.undos.push(this.apply(entry))
    this.pending.push(entry)
  }

  /** Keeps all that was put, or nothing of it: a line counts only with its end. */
  commit (): void {
    if (this.pending.length > 0) fs.appendFileSync(this.file, JSON.stringify(this.pending) + '\n')
    this.pending = []
    this.undos = []
  }

  /** Takes back all that was put since the last commit. */
  rollBack (): void {
    this.undos.reverse().forEach(undo => undo())
    this.pending = []
    this.undos = []
  }

  private replay (journal: string): void {
    const text = fs.existsSync(journal) ? fs.readFileSync(journal, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    for (const line of whole.split('\n').slice(0, -1)) {
      for (const entry of JSON.parse(line)) this.apply(entry)
    }
    if (whole !== text) fs.truncateSync(journal, Buffer.byteLength(whole))
  }
}
