// The journal: one line for each command that could change the chest, without secrets.

import type { Store } from './store'

export const JOURNALED = ['take', 'drop', 'lock', 'unlock']
export const JOURNAL = 'journal.json'
const MOST_CHARACTERS = 80

export function note (store: Store, command: string, argument: string, line: string): void {
  store.write(JOURNAL, [...store.load(JOURNAL), `${command} ${written(argument)}: ${line}`])
}

function written (argument: string): string {
  let masked = argument
  for (const secret of [process.env.CHEST_KEY, process.env.CHEST_WORD]) {
    if (secret !== undefined && secret !== '') masked = masked.replaceAll(secret, '***')
  }
  return [...masked].slice(0, MOST_CHARACTERS).map(escaped).join('')
}

function escaped (character: string): string {
  if (/^[ -[\]-~]$/.test(character)) return character
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
