// Customers: whose turn it is, how much they may have dyed at once, and what they hear of it.

import type { Batch, State } from './batches'

export interface CustomerEvent {
  event: number
  batch: string
  state: State
}

class Customer {
  most = Infinity
  dyeing = 0
  readonly keys = new Map<string, Batch>()
  readonly events: CustomerEvent[] = []
  private turn = -1

  nextTurn (turnOfHouse: number): number {
    this.turn = Math.max(turnOfHouse, this.turn + 1)
    return this.turn
  }

  isBusy (): boolean {
    return this.dyeing >= this.most
  }

  report (batch: string, state: State): void {
    this.events.push({ event: this.events.length + 1, batch, state })
  }
}

export class Customers {
  turn = 0
  private readonly all = new Map<string, Customer>()

  get (id: string): Customer {
    const customer = this.all.get(id) ?? new Customer()
    this.all.set(id, customer)
    return customer
  }

  begins (id: string, turn: number): void {
    this.turn = Math.max(this.turn, turn)
    this.get(id).dyeing++
  }
}
