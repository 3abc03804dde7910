// The forms of words. Each check gives the value of a word, or refuses it.

import { Refused } from './errors'

const MAX_VALUE_BYTES = 200

function checked (text: string, form: RegExp, kind: string): string {
  if (!form.test(text)) throw new Refused(`bad ${kind} '${text}'`)
  return text
}

export function key (text: string): string {
  return checked(text, /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/, 'key')
}

export function prefix (text: string): string {
  return checked(text, /^[A-Za-z0-9._/-]{1,64}$/, 'prefix')
}

export function value (text: string): string {
  const size = Buffer.byteLength(text)
  if (size < 1 || size > MAX_VALUE_BYTES || /[\u0000-\u001f\u007f]/.test(text)) throw new Refused('bad value')
  return text
}

export function limit (text: string): number {
  return Number(checked(text, /^[1-9][0-9]{0,5}$/, 'limit'))
}

export function number (text: string): number {
  return Number(checked(text, /^(0|[1-9][0-9]{0,5})$/, 'number'))
}
