// Text files that the user names.

import * as fs from 'fs'

import { CanalError } from './errors'

export function readText (path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(path))
  } catch {
    throw new CanalError(`cannot read ${path}`)
  }
}

export function writeText (path: string, text: string): void {
  try {
    fs.writeFileSync(path, text)
  } catch {
    throw new CanalError(`cannot write ${path}`)
  }
}
