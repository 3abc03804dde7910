// The changes that were made, each with the state on its other side.

import { Stock, type State } from './stock'
import { PantryError } from './values'

export interface Change { description: string, state: State }

export interface Saved { state: State, done: Change[], undone: Change[] }

/** The present stock, the changes that led to it, and those that were undone. */
export class History {
  stock: Stock
  readonly done: Change[]
  private undone: Change[]

  constructor (saved?: Saved) {
    this.stock = new Stock(saved?.state)
    this.done = saved?.done ?? []
    this.undone = saved?.undone ?? []
  }

  saved (): Saved {
    return { state: this.stock.state(), done: this.done, undone: this.undone }
  }

  record (description: string, state: State): void {
    this.done.push({ description, state })
    this.undone = []
  }

  undo (count: number): string[] {
    return this.replay('undo', count, this.done, this.undone)
  }

  redo (count: number): string[] {
    return this.replay('redo', count, this.undone, this.done)
  }

  private replay (verb: string, count: number, source: Change[], target: Change[]): string[] {
    if (source.length === 0) throw new PantryError(`nothing to ${verb}`)
    if (source.length < count) throw new PantryError(`only ${source.length} changes to ${verb}`)
    return source.splice(-count).reverse().map(({ description, state }) => {
      target.push({ description, state: this.stock.state() })
      this.stock = new Stock(state)
      return description
    })
  }
}
