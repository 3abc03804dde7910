// The store room: dyes, their scales, and the entries of what went in and out.

import { Changes, sleep } from './changes'
import { Refusal } from './faults'

export type Grams = Record<string, number>

export interface Entry {
  entry: number
  changes: Grams
  left: Grams
}

export interface Dye {
  id: string
  grams: number
}

export class StoreRoom {
  readonly changes = new Changes()
  private readonly grams = new Map<string, number>()
  private readonly onScale = new Map<string, number>()
  readonly entries: Entry[] = []

  add (dye: string, grams: number): Dye {
    if (this.grams.has(dye)) throw new Refusal(409, 'dye-exists')
    this.grams.set(dye, grams)
    return this.dye(dye)
  }

  dye (id: string): Dye {
    return { id, grams: this.gramsOf(id) }
  }

  dyes (): Dye[] {
    return [...this.grams.keys()].sort().map(id => this.dye(id))
  }

  refill (dye: string, grams: number): Entry {
    this.checkKnown([dye])
    return this.record({ [dye]: grams })
  }

  /** Takes parts, and adds them to the dye `into` if there is one. It gets all scales at once or none. */
  async weigh (parts: Grams, into: string | null, ms: number): Promise<Entry> {
    const dyes = Object.keys(parts).sort()
    this.checkKnown(into === null ? dyes : [...dyes, into])
    // Several waiting weighings can see the same free scale, so the first of them takes it while it looks.
    let taken = false
    const take = (): boolean => {
      if (!taken && dyes.every(dye => !this.onScale.has(dye))) {
        taken = true
        this.begin(dyes, parts)
      }
      return taken
    }
    await this.changes.until(take)
    const short = dyes.find(dye => this.gramsOf(dye) < parts[dye])
    if (short === undefined) await sleep(ms)
    for (const dye of dyes) this.onScale.delete(dye)
    if (short !== undefined) {
      this.changes.notify()
      throw new Refusal(409, 'short', { dye: short, grams: this.gramsOf(short) })
    }
    const changes = Object.fromEntries(dyes.map(dye => [dye, -parts[dye]]))
    if (into !== null) changes[into] = dyes.reduce((sum, dye) => sum + parts[dye], 0)
    const entry = this.record(changes)
    this.changes.notify()
    return entry
  }

  private begin (dyes: string[], parts: Grams): void {
    // Nothing that the dye does not have may count as being on the scale.
    const isShort = dyes.some(dye => this.gramsOf(dye) < parts[dye])
    for (const dye of dyes) this.onScale.set(dye, isShort ? 0 : parts[dye])
  }

  checkKnown (dyes: string[]): void {
    for (const dye of dyes) this.gramsOf(dye)
  }

  /** Applies changes as one entry. */
  record (changes: Grams): Entry {
    const left: Grams = {}
    for (const [dye, change] of Object.entries(changes)) {
      left[dye] = this.gramsOf(dye) + change
      this.grams.set(dye, left[dye])
    }
    const entry = { entry: this.entries.length + 1, changes, left }
    this.entries.push(entry)
    return entry
  }

  private gramsOf (dye: string): number {
    const grams = this.grams.get(dye)
    if (grams === undefined) throw new Refusal(404, 'no-dye', { dye })
    return grams
  }
}
