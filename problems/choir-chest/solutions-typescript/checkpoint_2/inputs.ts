// Hostile input: files and JSON.

import * as fs from 'fs'

import { Refusal } from './refusal'

export function readBytes (path: string): Buffer {
  try {
    return fs.readFileSync(path)
  } catch {
    throw new Refusal('no such file')
  }
}

/** The text in UTF-8; undefined if it is not UTF-8. */
export function decoded (bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function readText (path: string): string {
  const text = decoded(readBytes(path))
  if (text === undefined) throw new Refusal('not utf-8')
  return text
}

/** The members of the JSON object in a text whose values are all strings; undefined if there is none. */
export function parseStrings (text: string): Map<string, string> | undefined {
  const members = Object.entries(parseObject(text) ?? { none: 0 })
  return members.every(([, value]) => typeof value === 'string') ? new Map(members as Array<[string, string]>) : undefined
}

function parseObject (text: string): object | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function hasSurrogate (text: string): boolean {
  return /\p{Cs}/u.test(text)
}
