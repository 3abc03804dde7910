// Files that hold sheets.

import * as fs from 'fs'

import { refused } from './refusal'

export function readText (path: string): string {
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(path)
  } catch {
    throw refused(`cannot read ${path}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(`${path} is not UTF-8`)
  }
}
