// Marks and indexes.

import { Refused } from './errors'
import type { Note, NoteWord } from './logformat'
import { compareKeys } from './records'

type Kind = 'mark' | 'index'

const REMOVED: Partial<Record<NoteWord, Kind>> = { unmark: 'mark', unindex: 'index' }

export class Catalog {
  /** For each kind, the notes that made what exists, by name. */
  private readonly notes: Record<Kind, Map<string, Note>> = { mark: new Map(), index: new Map() }

  constructor (notes: Note[]) {
    notes.forEach(note => this.apply(note))
  }

  apply (note: Note): void {
    const removed = REMOVED[note.word]
    if (removed === undefined) this.notes[note.word as Kind].set(note.name, note)
    else this.notes[removed].delete(note.name)
  }

  /** Refuses to make what exists, and to remove what does not. */
  check (word: NoteWord, name: string): void {
    const removed = REMOVED[word]
    if (removed !== undefined) this.require(removed, name)
    else if (this.notes[word as Kind].has(name)) throw new Refused(`already ${word}ed`)
  }

  require (kind: Kind, name: string): void {
    if (!this.notes[kind].has(name)) throw new Refused(`no ${kind} ${name}`)
  }

  /** The notes that made what exists of a kind, by name. */
  notesOf (kind: Kind): Note[] {
    return [...this.notes[kind].values()].sort((a, b) => compareKeys(a.name, b.name))
  }

  allNotes (): Note[] {
    return [...this.notesOf('mark'), ...this.notesOf('index')]
  }
}
