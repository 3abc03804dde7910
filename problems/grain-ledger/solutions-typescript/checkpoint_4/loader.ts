// Loads a sheet and all that it uses.

import * as path from 'path'

import { Book } from './book'
import { readText, UnreadableFile } from './files'
import { Alias, type Sheet } from './model'
import { type Fault, readSheet } from './reader'
import { Refusal, refused } from './refusal'

/** The main sheet's path is the argument as it was given. */
export function loadBook (file: string): Book {
  const loader = new Loader()
  let main: Sheet
  try {
    main = loader.load(file, path.posix.normalize(file), '')
  } catch (error) {
    if (error instanceof UnreadableFile) throw refused(error.message)
    throw error
  }
  const faults = loader.faults()
  if (faults.length > 0) throw new Refusal(faults)
  return new Book(main)
}

/** A sheet, with the path under which it was first met. */
interface Loaded {
  sheet: Sheet
  shown: string
  /** How its path begins lines about its faults. */
  named: string
  faults: Fault[]
}

class Loader {
  /** By their places in the file system, in the order in which they were met. */
  private readonly loaded = new Map<string, Loaded>()
  /** The files that are being followed, from the main sheet on. */
  private readonly following: Loaded[] = []

  /** `place` is how the file is called in places of errors; empty for the main sheet. */
  load (named: string, shown: string, place: string): Sheet {
    const { sheet, faults } = readSheet(readText(named), place)
    const loaded = { sheet, shown, named, faults }
    this.loaded.set(path.resolve(shown), loaded)
    this.following.push(loaded)
    for (const entry of sheet.entries.values()) {
      if (entry instanceof Alias) this.follow(entry, loaded)
    }
    this.following.pop()
    faults.sort((a, b) => a.line - b.line || a.column - b.column)
    return sheet
  }

  faults (): string[] {
    return [...this.loaded.values()].flatMap(({ named, faults }) => (
      faults.map(({ line, column, message }) => `${named}:${line}:${column}: ${message}`)
    ))
  }

  private follow (alias: Alias, from: Loaded): void {
    const shown = path.posix.isAbsolute(alias.path)
      ? path.posix.normalize(alias.path)
      : path.posix.join(path.posix.dirname(from.shown), alias.path)
    const known = this.loaded.get(path.resolve(shown))
    if (known !== undefined && this.following.includes(known)) {
      const loop = [...this.following.slice(this.following.indexOf(known)), known]
      from.faults.push(faultAt(alias, `loop ${loop.map(({ shown }) => shown).join(' -> ')}`))
      return
    }
    try {
      alias.sheet = known?.sheet ?? this.load(shown, shown, shown)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      from.faults.push(faultAt(alias, error.message))
    }
  }
}

const faultAt = ({ line, column }: Alias, message: string): Fault => ({ line, column, message })
