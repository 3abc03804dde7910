// The store as a log of changes.

import { Catalog } from './catalog'
import { Refused } from './errors'
import { Index } from './find'
import type { Log } from './log'
import type { Change, Note, NoteWord } from './logformat'
import type { Reading } from './reading'
import type { Entry, Selection, Store, Write } from './records'
import { countUpTo, Versions, type Snapshot } from './versions'

export class LogStore implements Store {
  /** The number of the last version. */
  last: number
  readonly catalog: Catalog
  private versions: Versions
  private base: number
  private readonly indexes = new Map<string, Index>()
  /** The versions at which open transactions began. */
  private readonly pinned: number[] = []

  constructor (private readonly log: Log, { changes, notes, base, last }: Reading) {
    this.last = last
    this.base = base
    this.versions = new Versions(changes)
    this.catalog = new Catalog(notes)
  }

  get newest (): Snapshot {
    return this.versions.at(this.last)
  }

  get (key: string): string | undefined {
    return this.newest.get(key)
  }

  select (selection: Selection): Entry[] {
    return this.newest.select(selection)
  }

  /** Makes changes one new version. */
  write (changes: Write[]): void {
    const sequence = this.last + 1
    const entries = changes.map(([key, value]): Change => ({ kind: 'change', sequence, key, value }))
    this.log.append(entries)
    for (const change of entries) {
      this.versions.add(change)
      this.indexes.forEach(index => index.add(change))
    }
    this.last = sequence
  }

  /** Makes or removes a mark or an index. Returns the new version. */
  note (word: NoteWord, name: string): number {
    this.catalog.check(word, name)
    const note: Note = { kind: 'note', sequence: this.last + 1, word, name }
    this.log.append([note])
    this.catalog.apply(note)
    if (word === 'unindex') this.indexes.delete(name)
    this.last++
    return this.last
  }

  /** The keys that ever had a term at a path, which must be indexed. */
  candidates (path: string, term: string): string[] {
    this.catalog.require('index', path)
    const index = this.indexes.get(path) ?? new Index(path, this.versions.allLines().flat())
    this.indexes.set(path, index)
    return index.candidates(term)
  }

  /** The records at a version. */
  asOf (version: number): Snapshot {
    if (version > this.last) throw new Refused(`version ${version} is in the future`)
    if (version < this.base && !this.needed().includes(version)) throw new Refused(`version ${version} is compacted`)
    return this.versions.at(version)
  }

  /** The changes of a key, the oldest first. */
  history (key: string): Change[] {
    return this.versions.line(key)
  }

  isChangedSince (key: string, version: number): boolean {
    const changes = this.history(key)
    return countUpTo(changes, version) < changes.length
  }

  /** Keeps a version readable while a transaction is open. */
  pin (version: number): void {
    this.pinned.push(version)
  }

  unpin (version: number): void {
    this.pinned.splice(this.pinned.indexOf(version), 1)
  }

  private needed (): number[] {
    return [...this.catalog.notesOf('mark').map(({ sequence }) => sequence), ...this.pinned]
  }

  /** Writes the log again with what is needed. Returns the numbers of changes that stay and go. */
  compact (): { kept: number, dropped: number } {
    const versions = [...new Set([...this.needed(), this.last])].sort((a, b) => a - b)
    const lines = this.versions.allLines()
    const changes = lines.flatMap(line => this.neededChanges(line, versions))
    changes.sort((a, b) => a.sequence - b.sequence || (a.key < b.key ? -1 : 1))
    this.base = this.last
    this.log.create(changes, this.catalog.allNotes(), this.base)
    this.versions = new Versions(changes)
    this.indexes.clear()
    return { kept: changes.length, dropped: lines.flat().length - changes.length }
  }

  /** The changes of a key that decide its value at some versions. */
  private neededChanges (line: Change[], versions: number[]): Change[] {
    const places = new Set(versions.map(version => countUpTo(line, version) - 1))
    const needed = line.filter((_, place) => places.has(place))
    const isDeleted = needed.length > 0 && needed[0].value === undefined
    return isDeleted && this.pinned.length === 0 ? needed.slice(1) : needed
  }
}
