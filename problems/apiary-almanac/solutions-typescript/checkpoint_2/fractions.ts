// Exact numbers.

function greatestDivisor (a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}

function magnitude (number: bigint): bigint {
  return number < 0n ? -number : number
}

export class Fraction {
  private readonly over: bigint
  private readonly under: bigint

  constructor (over: bigint, under = 1n) {
    const divisor = greatestDivisor(magnitude(over), magnitude(under)) * (under < 0n ? -1n : 1n)
    this.over = over / divisor
    this.under = under / divisor
  }

  /** The number that is written with digits, and perhaps a sign and decimals. */
  static parse (text: string): Fraction {
    const [whole, decimals = ''] = text.split('.')
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length))
  }

  get sign (): number {
    return this.over < 0n ? -1 : this.over > 0n ? 1 : 0
  }

  plus (other: Fraction): Fraction {
    return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under)
  }

  minus (other: Fraction): Fraction {
    return new Fraction(this.over * other.under - other.over * this.under, this.under * other.under)
  }

  times (other: Fraction): Fraction {
    return new Fraction(this.over * other.over, this.under * other.under)
  }

  dividedBy (other: Fraction): Fraction {
    return new Fraction(this.over * other.under, this.under * other.over)
  }

  compare (other: Fraction): number {
    return this.minus(other).sign
  }

  /** Exactly so many decimals, rounded with halves away from zero. Zero has no sign. */
  fixed (decimals: number): string {
    const scaled = magnitude(this.over) * 10n ** BigInt(decimals)
    const units = (2n * scaled + this.under) / (2n * this.under)
    const digits = String(units).padStart(decimals + 1, '0')
    const sign = this.over < 0n && units > 0n ? '-' : ''
    const point = digits.length - decimals
    return sign + digits.slice(0, point) + (decimals > 0 ? `.${digits.slice(point)}` : '')
  }

  /** As many decimals as necessary, and at most so many. */
  plain (most: number): string {
    return this.fixed(most).replace(/\.?0*$/, '')
  }

  toString (): string {
    return `${this.over}/${this.under}`
  }
}
