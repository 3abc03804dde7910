// Bundles: lines of JSON, each of them a sheet.

import { createHmac, timingSafeEqual } from 'crypto'
import { gunzipSync } from 'zlib'

import { decoded, hasSurrogate, isTooDeep, MOST_BYTES, parseStrings } from './inputs'
import { normalPath, Taken } from './paths'
import { Refusal } from './refusal'
import type { Sheets } from './store'

const MOST_CHARACTERS = 20000
const MOST_UNPACKED = 65536
const MOST_SHEETS = 500
const MOST_IN_BUNDLE = 1000000

/** The sheets of a bundle, of which none clashes with those that are present. */
export function readBundle (text: string, present: Sheets): Map<string, string> {
  const sheets = new Map<string, string>()
  const taken = new Taken(present.keys())
  let total = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const fail = (fault: string): never => { throw new Refusal(`line ${index + 1}: ${fault}`) }
    const { path, sheet } = readLine(line, fail)
    if (sheets.has(path)) fail('repeated')
    if (taken.clashes(path)) fail('clash')
    if (present.get(path)?.lock !== undefined) fail('locked')
    if (sheets.size === MOST_SHEETS) fail('too many')
    total += Buffer.byteLength(sheet)
    if (total > MOST_IN_BUNDLE) fail('bundle too large')
    sheets.set(path, sheet)
    taken.add(path)
  }
  return sheets
}

function readLine (line: string, fail: (fault: string) => never): { path: string, sheet: string } {
  if (Buffer.byteLength(line) > MOST_BYTES) fail('too long')
  if (isTooDeep(line)) fail('too deep')
  const value = parseStrings(line) ?? new Map<string, string>()
  const path = value.get('path')
  const given = value.get('text') ?? value.get('gzip')
  if (value.size !== 2 || path === undefined || given === undefined) return fail('not a sheet')
  try {
    const normal = normalPath(path)
    const sheet = value.has('text') ? given : unpacked(given)
    if ([...sheet].length > MOST_CHARACTERS || hasSurrogate(sheet) || /[^\P{Cc}\t\n]/u.test(sheet)) {
      throw new Refusal('bad text')
    }
    return { path: normal, sheet }
  } catch (error) {
    return fail((error as Error).message)
  }
}

/** The text in gzip in Base64. It never unpacks more than a little too much. */
function unpacked (packed: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)) throw new Refusal('bad gzip')
  let content
  try {
    content = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_UNPACKED })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Refusal(isLarge ? 'too large' : 'bad gzip')
  }
  const text = decoded(content)
  if (text === undefined) throw new Refusal('bad gzip')
  return text
}

/** A bundle with the seal that belongs to it. */
export function sealed (text: string, key: string): string {
  const whole = text === '' || text.endsWith('\n') ? text : text + '\n'
  return `${whole}{"seal": "${seal(whole, key)}"}\n`
}

/** Everything before the seal in the last line, if it is right. */
export function acceptSeal (text: string, key: string): string {
  const start = text.replace(/\n$/, '').lastIndexOf('\n') + 1
  const last = text.slice(start).replace(/\n$/, '')
  const value = Buffer.byteLength(last) > MOST_BYTES || isTooDeep(last) ? undefined : parseStrings(last)
  const given = value?.get('seal')
  if (value?.size !== 1 || given === undefined) throw new Refusal('no seal')
  const [one, other] = [given, seal(text.slice(0, start), key)].map(hex => Buffer.from(hex))
  if (one.length !== other.length || !timingSafeEqual(one, other)) throw new Refusal('wrong seal')
  return text.slice(0, start)
}

function seal (text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
