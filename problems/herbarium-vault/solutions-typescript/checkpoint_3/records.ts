// Records in memory, in the order of their keys.

export type Entry = [key: string, value: string]

/** A key with its new value, or with none if the record is deleted. */
export type Write = [key: string, value: string | undefined]

/** Keys from one on, before another, with a prefix. */
export interface Selection { prefix?: string, from?: string, to?: string }

/** A content of the store that can be read. */
export interface Source {
  get: (key: string) => string | undefined
  /** The chosen records in key order. */
  select: (selection: Selection) => Entry[]
}

/** A content of the store that can be changed, too. */
export interface Store extends Source {
  /** Makes changes of different keys, in key order. */
  write: (changes: Write[]) => void
}

/** Compares in key order. Keys are ASCII. */
export function compareKeys (a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Keys that are sorted when the order matters. */
export class KeySet {
  private keys: string[]
  private isSorted = false

  constructor (keys: Iterable<string>) {
    this.keys = [...keys]
  }

  /** Adds a key that is not in the set. */
  add (key: string): void {
    this.isSorted &&= this.keys.length === 0 || this.keys[this.keys.length - 1] < key
    this.keys.push(key)
  }

  delete (key: string): void {
    this.keys = this.keys.filter(other => other !== key)
  }

  select ({ prefix = '', from = '', to }: Selection): string[] {
    if (!this.isSorted) this.keys.sort(compareKeys)
    this.isSorted = true
    const first = this.placeOf(from > prefix ? from : prefix)
    const selected: string[] = []
    for (let place = first; place < this.keys.length; place++) {
      const key = this.keys[place]
      if (!key.startsWith(prefix) || (to !== undefined && key >= to)) break
      selected.push(key)
    }
    return selected
  }

  /** The number of keys before a key. */
  private placeOf (key: string): number {
    let low = 0
    let high = this.keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.keys[middle] < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

export class Records implements Store {
  private readonly values: Map<string, string>
  private readonly keys: KeySet

  constructor (entries: Iterable<Entry> = []) {
    this.values = new Map(entries)
    this.keys = new KeySet(this.values.keys())
  }

  get (key: string): string | undefined {
    return this.values.get(key)
  }

  select (selection: Selection): Entry[] {
    return this.keys.select(selection).map(key => [key, this.values.get(key)!])
  }

  write (changes: Write[]): void {
    for (const [key, value] of changes) {
      if (value === undefined) this.delete(key)
      else this.put(key, value)
    }
  }

  private put (key: string, value: string): void {
    if (!this.values.has(key)) this.keys.add(key)
    this.values.set(key, value)
  }

  private delete (key: string): void {
    if (this.values.delete(key)) this.keys.delete(key)
  }
}
