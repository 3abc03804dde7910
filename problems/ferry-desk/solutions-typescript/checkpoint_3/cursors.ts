// Cursors: texts that say where a page of bookings ended, and of which list it was a page.

import type { Selection } from './bookings'

export function writeCursor (last: number, { sailing = '', state = '' }: Selection): string {
  return Buffer.from(JSON.stringify([last, sailing, state])).toString('base64url')
}

/** The number of the last booking of the page before. */
export function readCursor (text: string): number {
  return JSON.parse(Buffer.from(text, 'base64url').toString())[0]
}

/** Whether a text is a cursor for this list. */
export function isCursor (value: unknown, list: Selection): boolean {
  try {
    const text = String(value)
    return writeCursor(readCursor(text), list) === text
  } catch {
    return false
  }
}
