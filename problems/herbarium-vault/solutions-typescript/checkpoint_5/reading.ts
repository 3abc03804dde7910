// Which lines of a log are sound.

import { Refused } from './errors'
import { HEADER, parse, unframe, type Change, type Entry, type Group, type Note } from './logformat'

export const FILE = 'vault.log'

/** The first line that is not sound, and the bytes before and from it on. */
export interface LogFault { line: number, isTorn: boolean, soundBytes: number, excessBytes: number }

/** The content of a log up to its first fault. */
export interface Reading { changes: Change[], notes: Note[], base: number, last: number, fault?: LogFault }

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

/** The numbers that can follow: up to that of the base with gaps, then one after another. */
class Numbers {
  base = 0
  last = 0

  fits (sequence: number): boolean {
    return sequence === Math.max(this.last, this.base) + 1 || (this.last < sequence && sequence <= this.base)
  }
}

export function readLog (content: Buffer): Reading {
  const lines = splitLines(content)
  if (lines[0]?.toString() !== HEADER) throw new Refused(`${FILE} has no header`)
  const entries: Entry[] = []
  const numbers = new Numbers()
  let place = 1
  let fault: LogFault | undefined
  while (place < lines.length && fault === undefined) {
    const unit = readUnit(lines, place)
    const badPlace = 'badPlace' in unit ? unit.badPlace : place
    if ('badPlace' in unit || !takeUnit(unit[0], place, numbers)) {
      fault = faultAt(lines, place, badPlace)
    } else {
      entries.push(...unit)
      place += lineCount(unit)
    }
  }
  return {
    changes: entries.filter((entry): entry is Change => entry.kind === 'change'),
    notes: entries.filter((entry): entry is Note => entry.kind === 'note'),
    base: numbers.base,
    last: Math.max(numbers.base, numbers.last),
    fault
  }
}

/** Takes the number of a unit. Returns whether the unit may be at this place. */
function takeUnit ({ kind, sequence }: Entry, place: number, numbers: Numbers): boolean {
  if (kind === 'base') {
    if (place !== 1) return false
    numbers.base = sequence
    return true
  }
  if (!numbers.fits(sequence)) return false
  numbers.last = sequence
  return true
}

/** A unit with several changes has the line of the group, too. */
function lineCount ({ length }: Entry[]): number {
  return length > 1 ? length + 1 : length
}

/** The entries of the unit at a place without the group's own, or the first bad place in it. */
function readUnit (lines: Buffer[], place: number): Entry[] | { badPlace: number } {
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
