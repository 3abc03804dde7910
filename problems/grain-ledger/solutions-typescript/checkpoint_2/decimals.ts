// Exact decimals: numbers of ten digits after the point, as whole numbers of the last one.

export const PLACES = 10
const SCALE = 10n ** BigInt(PLACES)
const WHOLE_DIGITS = 18
const LIMIT = 10n ** BigInt(WHOLE_DIGITS) * SCALE
const HIGHEST_EXPONENT = 100n

export const fromCount = (count: number): bigint => BigInt(count) * SCALE

export const isTooLarge = (number: bigint): boolean => size(number) >= LIMIT

export const size = (number: bigint): bigint => number < 0n ? -number : number

/** Reads digits, perhaps with a point; undefined if there are too many of them. */
export function parseDecimal (text: string): bigint | undefined {
  const [whole, fraction = ''] = text.split('.')
  if (whole.length > WHOLE_DIGITS || fraction.length > PLACES) return undefined
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

/** Without needless zeros, and without a point where no digits follow. */
export function printDecimal (number: bigint): string {
  return printFixed(number, PLACES).replace(/\.?0+$/, '')
}

/** With so many digits after the point; those beyond are cut off. */
export function printFixed (number: bigint, places: number): string {
  const digits = size(number / stepOf(places)).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places)
  const sign = number < 0n && /[1-9]/.test(digits) ? '-' : ''
  return sign + whole + (places > 0 ? `.${fraction}` : '')
}

/** What one unit of the last of so many places is. */
const stepOf = (places: number): bigint => 10n ** BigInt(PLACES - places)

export const multiply = (a: bigint, b: bigint): bigint => divideHalfEven(a * b, SCALE)

export const divide = (a: bigint, b: bigint): bigint => divideHalfEven(a * SCALE, b)

/** The whole number that an exponent or a number of places is, if it is one from 0 to the highest. */
export function wholeUpTo (number: bigint, highest: bigint): number | undefined {
  if (number % SCALE !== 0n) return undefined
  const whole = number / SCALE
  return whole >= 0n && whole <= highest ? Number(whole) : undefined
}

/** A power, rounded once; undefined if the exponent is a bad one. */
export function power (base: bigint, exponent: bigint): bigint | undefined {
  const times = wholeUpTo(exponent, HIGHEST_EXPONENT)
  if (times === undefined) return undefined
  if (times === 0) return SCALE
  return divideHalfEven(base ** BigInt(times), SCALE ** BigInt(times - 1))
}

export function floorDivide (a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && (a < 0n) !== (b < 0n) ? quotient - 1n : quotient
}

/** A quotient of whole numbers; half a unit goes to the even side. */
export function divideHalfEven (a: bigint, b: bigint): bigint {
  const floor = floorDivide(a, b)
  const rest = size(a - floor * b) * 2n
  const goesUp = rest > size(b) || (rest === size(b) && floor % 2n !== 0n)
  return goesUp ? floor + 1n : floor
}

/** Rounds to so many places; half a unit goes away from zero. */
export function roundTo (number: bigint, places: number): bigint {
  const step = stepOf(places)
  const rounded = (size(number) * 2n + step) / (step * 2n) * step
  return number < 0n ? -rounded : rounded
}

export const floorOf = (number: bigint): bigint => floorDivide(number, SCALE) * SCALE

/** `a` without the greatest whole multiple of `b`. */
export const remainder = (a: bigint, b: bigint): bigint => a - b * floorDivide(a, b)
