// Which lines of a log are sound.

import { Refused } from './errors'
import { HEADER, parse, unframe, type Change } from './logformat'

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
  for (const line of lines.slice(1)) {
    const payload = unframe(line)
    const change = payload === undefined ? undefined : parse(payload)
    if (change?.sequence !== changes.length + 1) break
    changes.push(change)
  }
  return { changes, last: changes.length, fault: faultAt(lines, changes.length + 1, changes.length + 1) }
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
