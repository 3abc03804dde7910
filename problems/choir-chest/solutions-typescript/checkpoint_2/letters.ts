// Letters: sheets with gaps, filled from a record.

import { decoded, hasSurrogate, parseStrings, readBytes } from './inputs'
import { Refusal } from './refusal'

const GAP = /\{\{(?:([a-z][a-z0-9_]{0,19})\}\})?/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function csv (value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${harmless.replaceAll('"', '""')}"`
}

/** How a value is written. Replacements are functions, since texts could have patterns such as `$&`. */
export const FORMS = new Map<string, (value: string) => string>([
  ['plain', value => value],
  ['html', value => value.replace(/[&<>"']/g, character => ENTITIES[character])],
  ['line', value => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')],
  ['csv', csv],
  ['shell', value => `'${value.replace(/'/g, () => "'\\''")}'`]
])

export function readRecord (path: string): Map<string, string> {
  const bytes = readBytes(path)
  const text = decoded(bytes)
  const record = text === undefined ? undefined : parseStrings(text)
  if (record === undefined || [...record].flat().some(hasSurrogate)) throw new Refusal('not a record')
  return record
}

/** All gaps are looked for before the first is filled, so a bad one comes before a missing value. */
export function fillGaps (text: string, record: Map<string, string>, form: (value: string) => string): string {
  const names = [...text.matchAll(GAP)].map(([, name]) => name)
  if (names.includes(undefined as unknown as string)) throw new Refusal('bad gap')
  if (names.some(name => !record.has(name))) throw new Refusal('no value')
  return text.replace(GAP, (_, name) => form(record.get(name) ?? ''))
}
