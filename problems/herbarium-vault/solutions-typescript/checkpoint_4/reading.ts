// Which lines of a log are sound.

import { Refused } from './errors'
import { HEADER, parse, unframe, type Change, type Entry, type Group } from './logformat'

export const FILE = 'vault.log'

/** The first line that is not sound, and the bytes before and from it on. */
export interface LogFault { line: number, isTorn: boolean, soundBytes: number, excessBytes: number }

/** The content of a log up to its first fault. */
export interface Reading { changes: Change[], last: number, fault?: LogFault }

export function refuseDamage ({ fault }: Reading): void {
  if (fault !== undefined && !fault.isTorn) throw new Refused(`${FILE} is damaged at line ${fault.line}`)
}

/** The lines of a file with their line feeds, which the last one may lack. */
function splitLines (content: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  while (start < content.length) {
    const end = content.indexOf('\n', start)
    const next = end < 0 ? content.length : end + 1
    lines.push(content.subarray(start, next))
    start = next
  }
  return lines
}

export function readLog (content: Buffer): Reading {
  const lines = splitLines(content)
  if (lines[0]?.toString() !== HEADER) throw new Refused(`${FILE} has no header`)
  const changes: Change[] = []
  let place = 1
  let last = 0
  while (place < lines.length) {
    const unit = readUnit(lines, place)
    if ('badPlace' in unit || unit[0].sequence !== last + 1) {
      const fault = faultAt(lines, place, 'badPlace' in unit ? unit.badPlace : place)
      return { changes, last, fault }
    }
    changes.push(...unit)
    place += lineCount(unit)
    last++
  }
  return { changes, last }
}

/** A unit with several changes has the line of the group, too. */
function lineCount ({ length }: Entry[]): number {
  return length > 1 ? length + 1 : length
}

/** The entries of the unit at a place without the group's own, or the first bad place in it. */
function readUnit (lines: Buffer[], place: number): Change[] | { badPlace: number } {
  const entry = readEntry(lines, place)
  if (entry?.kind === 'group') return readGroup(lines, place, entry)
  return entry === undefined ? { badPlace: place } : [entry]
}

function readGroup (lines: Buffer[], place: number, { sequence, size }: Group): Change[] | { badPlace: number } {
  const changes: Change[] = []
  for (let member = place + 1; member <= place + size; member++) {
    const change = readEntry(lines, member)
    const isRight = change?.kind === 'change' && change.sequence === sequence &&
      (changes.length === 0 || change.key > changes[changes.length - 1].key)
    if (!isRight) return { badPlace: member }
    changes.push(change)
  }
  return changes
}

function readEntry (lines: Buffer[], place: number): Entry | undefined {
  const payload = place < lines.length ? unframe(lines[place]) : undefined
  return payload === undefined ? undefined : parse(payload)
}

/** The fault of a log that is sound before a place, of which a line from there on is bad. */
function faultAt (lines: Buffer[], place: number, badPlace: number): LogFault | undefined {
  if (place >= lines.length) return undefined
  const bytes = (some: Buffer[]): number => some.reduce((sum, { length }) => sum + length, 0)
  return {
    line: place + 1,
    isTorn: lines.slice(badPlace + 1).every(line => unframe(line) === undefined),
    soundBytes: bytes(lines.slice(0, place)),
    excessBytes: bytes(lines.slice(place))
  }
}
