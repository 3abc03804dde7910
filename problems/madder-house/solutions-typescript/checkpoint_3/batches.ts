// A batch: what was ordered, and how far it is.

export interface Order {
  customer: string
  vats: string[]
  dye: string
  grams: number
  ms: number
  patience?: number
}

export type State = 'waiting' | 'dyeing' | 'done' | 'failed' | 'cancelled' | 'expired'

const SETTLED: State[] = ['done', 'failed', 'cancelled', 'expired']

export function isSettled (state: State): boolean {
  return SETTLED.includes(state)
}

export class Batch {
  readonly id: string
  state: State = 'waiting'
  timer?: NodeJS.Timeout

  constructor (number: number, readonly order: Order) {
    this.id = `B${number}`
  }

  shape (): object {
    return { id: this.id, ...this.order, state: this.state }
  }
}
