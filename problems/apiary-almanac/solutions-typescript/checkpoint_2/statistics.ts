// Statistics of values. Missing values have no part in them.

import { Fraction } from './fractions'
import type { Statistic } from './model'
import { isNumber, type Value } from './values'

function sum (numbers: Fraction[]): Fraction {
  return numbers.reduce((sum, number) => sum.plus(number))
}

const OF_NUMBERS: Record<Exclude<Statistic, 'count'>, (numbers: Fraction[]) => Fraction> = {
  sum,
  mean: numbers => sum(numbers).dividedBy(wholeNumber(numbers.length)),
  least: numbers => numbers.reduce((least, number) => number.compare(least) < 0 ? number : least),
  most: numbers => numbers.reduce((most, number) => number.compare(most) > 0 ? number : most)
}

/** The statistic, or null if there are no numbers for it. */
export function statisticOf (statistic: Statistic, values: Value[]): Value {
  if (statistic === 'count') return wholeNumber(values.filter(value => value !== null).length)
  const numbers = values.filter(isNumber)
  return numbers.length === 0 ? null : OF_NUMBERS[statistic](numbers)
}

function wholeNumber (number: number): Fraction {
  return new Fraction(BigInt(number))
}
