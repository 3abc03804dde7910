// State in memory, and on disk as a journal with one line for each request that changed something.
// Values are never changed in place.

import * as fs from 'fs'
import * as path from 'path'

import type { Paper } from './papers'
import type { Reply } from './replies'

export interface Tables {
  forms: Map<string, Paper>
  blocks: Map<string, Paper>
  replies: Map<string, Reply>
  numbers: Map<string, number>
}

/** A table, a key, and the new value, which is null if the key is removed. */
type Entry = [keyof Tables, string, unknown]

export class Store {
  readonly tables: Tables = { forms: new Map(), blocks: new Map(), replies: new Map(), numbers: new Map() }
  private readonly file: number
  private pending: Entry[] = []

  constructor (folder: string) {
    fs.mkdirSync(folder, { recursive: true })
    const journal = path.join(folder, 'journal.jsonl')
    this.replay(journal)
    this.file = fs.openSync(journal, 'a')
  }

  put (table: keyof Tables, key: string, value: unknown): void {
    const entry: Entry = [table, key, value]
    this.apply(entry)
    this.pending.push(entry)
  }

  remove (table: keyof Tables, key: string): void {
    this.put(table, key, null)
  }

  /** Keeps all that was put, or nothing of it: a line counts only with its end. */
  commit (): void {
    if (this.pending.length > 0) fs.appendFileSync(this.file, JSON.stringify(this.pending) + '\n')
    this.pending = []
  }

  private apply ([table, key, value]: Entry): void {
    const values = this.tables[table] as Map<string, unknown>
    if (value === null) values.delete(key)
    else values.set(key, value)
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
