// Paths of sheets.

import { Refusal } from './refusal'

const MOST_CHARACTERS = 200
const PART = /^[\p{L}\p{M}\p{N} _.,()'-]{1,60}$/u

/** The normal form of a path, unless it is bad. */
export function normalPath (given: string): string {
  const path = given.normalize('NFC')
  if ([...path].length > MOST_CHARACTERS || !path.split('/').every(isPart)) throw new Refusal('bad path')
  return path
}

function isPart (part: string): boolean {
  return PART.test(part) && !/^[. -]|[. ]$/.test(part)
}

/** Orders texts by code points. */
export function compareCodes (a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** The paths that are taken, to find those that clash with them. */
export class Taken {
  private readonly byLower = new Map<string, string>()
  private readonly folders = new Set<string>()

  constructor (paths: Iterable<string>) {
    for (const path of paths) this.add(path)
  }

  add (path: string): void {
    const lower = path.toLowerCase()
    this.byLower.set(lower, path)
    for (const folder of foldersOf(lower)) this.folders.add(folder)
  }

  clashes (path: string): boolean {
    const lower = path.toLowerCase()
    return (this.byLower.get(lower) ?? path) !== path || this.folders.has(lower) ||
      foldersOf(lower).some(folder => this.byLower.has(folder))
  }
}

function foldersOf (path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
