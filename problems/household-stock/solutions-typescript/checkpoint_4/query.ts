// Which lots `find` and `report` choose.

import type { Options } from './options'
import type { Lot } from './stock'
import { parseDate, parseQuantity, parseWord } from './values'

type Test = (lot: Lot) => boolean

function nameTest (pattern: string): Test {
  const wildcards: Record<string, string> = { '*': '.*', '?': '.' }
  const parts = [...pattern.trim().toLowerCase()].map(char => wildcards[char] ?? char.replace(/[\\^$.|+()[\]{}/]/, '\\$&'))
  const expression = new RegExp(`^${parts.join('')}$`, 'su')
  return lot => expression.test(lot.name)
}

function placeTest (text: string): Test {
  const place = parseWord(text, 'place')
  return lot => lot.place === place
}

function beforeTest (text: string): Test {
  const date = parseDate(text)
  return lot => lot.bestBefore !== null && lot.bestBefore < date
}

function amountTest (holds: (amount: number, limit: number) => boolean): (text: string) => Test {
  return text => {
    const { amount, unit } = parseQuantity(text)
    return lot => lot.unit === unit && holds(lot.amount, amount)
  }
}

/** In the order in which wrong options are told. */
const TESTS: Array<[string, (text: string) => Test]> = [
  ['name', nameTest],
  ['place', placeTest],
  ['before', beforeTest],
  ['undated', () => lot => lot.bestBefore === null],
  ['min', amountTest((amount, limit) => amount >= limit)],
  ['max', amountTest((amount, limit) => amount <= limit)]
]

export const VALUES = ['name', 'place', 'before', 'min', 'max']
export const FLAGS = ['undated']

/** The lots that pass every filter that was given. */
export function choose (lots: Lot[], options: Options): Lot[] {
  const tests = TESTS.flatMap(([option, make]) => option in options ? [make(options[option])] : [])
  return lots.filter(lot => tests.every(test => test(lot)))
}
