// Bundles: lines of JSON, each of them a sheet.

import { hasSurrogate, parseStrings } from './inputs'
import { normalPath, Taken } from './paths'
import { Refusal } from './refusal'
import type { Sheets } from './store'

const MOST_CHARACTERS = 20000

/** The sheets of a bundle, of which none clashes with those that are present. */
export function readBundle (text: string, present: Sheets): Map<string, string> {
  const sheets = new Map<string, string>()
  const taken = new Taken(present.keys())
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const fail = (fault: string): never => { throw new Refusal(`line ${index + 1}: ${fault}`) }
    const { path, sheet } = readLine(line, fail)
    if (sheets.has(path)) fail('repeated')
    if (taken.clashes(path)) fail('clash')
    sheets.set(path, sheet)
    taken.add(path)
  }
  return sheets
}

function readLine (line: string, fail: (fault: string) => never): { path: string, sheet: string } {
  const value = parseStrings(line) ?? new Map<string, string>()
  const path = value.get('path')
  const sheet = value.get('text')
  if (value.size !== 2 || path === undefined || sheet === undefined) return fail('not a sheet')
  try {
    const normal = normalPath(path)
    if ([...sheet].length > MOST_CHARACTERS || hasSurrogate(sheet) || /[^\P{Cc}\t\n]/u.test(sheet)) {
      throw new Refusal('bad text')
    }
    return { path: normal, sheet }
  } catch (error) {
    return fail((error as Error).message)
  }
}
