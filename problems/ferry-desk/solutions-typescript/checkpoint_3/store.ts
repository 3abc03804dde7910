// State on disk: a journal with one line for each request that changed something.

import * as fs from 'fs'
import * as path from 'path'

import type { Booking, Sailing } from './bookings'
import type { FirstReply } from './repeats'

/** The whole new value of one thing. */
export type Entry =
  | { kind: 'clock', value: number }
  | { kind: 'sailing', value: Sailing, what: string }
  | { kind: 'booking', value: Booking, what: string }
  | { kind: 'reply', value: FirstReply }

/** A change as the feed shows it. */
interface FeedItem { seq: number, at: number, what: string, id: string, version: number }

export class Store {
  clock = 0
  readonly sailings = new Map<string, Sailing>()
  readonly bookings = new Map<string, Booking>()
  readonly replies = new Map<string, FirstReply>()
  readonly versions = new Map<string, number>()
  readonly changes: FeedItem[] = []
  private readonly idsOn = new Map<string, string[]>()
  private readonly file: number
  private pending: Entry[] = []

  constructor (folder: string) {
    fs.mkdirSync(folder, { recursive: true })
    const journal = path.join(folder, 'journal.jsonl')
    this.replay(journal)
    this.file = fs.openSync(journal, 'a')
  }

  /** The bookings of a sailing in the order of their numbers. */
  bookingsOn (sailing: string): Booking[] {
    return (this.idsOn.get(sailing) ?? []).map(id => this.bookings.get(id)!)
  }

  put (entry: Entry): void {
    this.apply(entry)
    this.pending.push(entry)
  }

  /** Keeps all that was put, or nothing of it: a line counts only with its end. */
  commit (): void {
    if (this.pending.length > 0) fs.appendFileSync(this.file, JSON.stringify(this.pending) + '\n')
    this.pending = []
  }

  private replay (journal: string): void {
    const text = fs.existsSync(journal) ? fs.readFileSync(journal, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    for (const line of whole.split('\n').slice(0, -1)) {
      for (const entry of JSON.parse(line)) this.apply(entry)
    }
    if (whole !== text) fs.truncateSync(journal, Buffer.byteLength(whole))
  }

  private apply (entry: Entry): void {
    switch (entry.kind) {
      case 'clock':
        this.clock = entry.value
        break
      case 'sailing':
        this.sailings.set(entry.value.id, entry.value)
        this.note(entry.value.id, entry.what)
        break
      case 'booking':
        this.setBooking(entry.value)
        this.note(entry.value.id, entry.what)
        break
      case 'reply':
        this.replies.set(entry.value.key, entry.value)
    }
  }

  private setBooking (booking: Booking): void {
    if (!this.bookings.has(booking.id)) {
      this.idsOn.set(booking.sailing, [...this.idsOn.get(booking.sailing) ?? [], booking.id])
    }
    this.bookings.set(booking.id, booking)
  }

  private note (id: string, what: string): void {
    const version = (this.versions.get(id) ?? 0) + 1
    this.versions.set(id, version)
    this.changes.push({ seq: this.changes.length + 1, at: this.clock, what, id, version })
  }
}
