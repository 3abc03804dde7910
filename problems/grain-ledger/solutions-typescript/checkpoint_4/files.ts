// Files that hold sheets.

import * as fs from 'fs'

/** A file that cannot be read as text; the message says why. */
export class UnreadableFile extends Error {}

export function readText (path: string): string {
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(path)
  } catch {
    throw new UnreadableFile(`cannot read ${path}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UnreadableFile(`${path} is not UTF-8`)
  }
}
