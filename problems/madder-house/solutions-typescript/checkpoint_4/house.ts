// The house: vats, and the batches that are dyed in them.

import { Batch, isSettled, type Order, SETTLED, type State } from './batches'
import { Customers, type CustomerEvent } from './customers'
import { Refusal } from './faults'
import type { StoreRoom } from './storeroom'

interface VatEvent {
  batch: string
  event: string
}

interface Vat {
  id: string
  batch: Batch | null
  log: VatEvent[]
}

export class House {
  private readonly vats = new Map<string, Vat>()
  private readonly batches = new Map<string, Batch>()
  private readonly customers = new Customers()
  private isClosing = false

  constructor (readonly room: StoreRoom) {}

  addVat (id: string): object {
    if (this.vats.has(id)) throw new Refusal(409, 'vat-exists')
    this.vats.set(id, { id, batch: null, log: [] })
    return this.vat(id)
  }

  vat (id: string): object {
    const { batch } = this.knownVat(id)
    return batch === null ? { id, state: 'free' } : { id, state: 'busy', batch: batch.id }
  }

  allVats (): object[] {
    return [...this.vats.keys()].sort().map(id => this.vat(id))
  }

  log (id: string): VatEvent[] {
    return this.knownVat(id).log
  }

  order (order: Order, key?: string): { isNew: boolean, batch: object } {
    this.check(order)
    const customer = this.customers.get(order.customer)
    const known = key === undefined ? undefined : customer.keys.get(key)
    if (known !== undefined) {
      if (!known.isOf(order)) throw new Refusal(409, 'key-used', { batch: known.id })
      return { isNew: false, batch: known.shape() }
    }
    if (this.isClosing) throw new Refusal(409, 'closing')
    const batch = new Batch(this.batches.size + 1, order, customer.nextTurn(this.customers.turn))
    this.batches.set(batch.id, batch)
    if (key !== undefined) customer.keys.set(key, batch)
    this.enter(batch, 'waiting')
    this.beginWaiting()
    this.watchPatience(batch)
    return { isNew: true, batch: batch.shape() }
  }

  private check (order: Order): void {
    for (const id of order.vats) this.knownVat(id)
    this.room.checkKnown([order.dye])
  }

  /** The batch, once it is settled or the time is over. */
  async batch (id: string, ms: number): Promise<object> {
    const batch = this.knownBatch(id)
    await this.room.changes.until(() => isSettled(batch.state), ms)
    return batch.shape()
  }

  allBatches (): object[] {
    return [...this.batches.values()].map(batch => batch.shape())
  }

  cancel (id: string): object {
    const batch = this.knownBatch(id)
    if (isSettled(batch.state)) throw new Refusal(409, 'settled', { state: batch.state })
    this.cancelBatch(batch)
    this.beginWaiting()
    return batch.shape()
  }

  limit (customer: string, most: number): void {
    this.customers.get(customer).most = most
    this.beginWaiting()
  }

  /** The customer's events after a number, once there is one or the time is over. */
  async events (customer: string, after: number, ms: number): Promise<CustomerEvent[]> {
    const { events } = this.customers.get(customer)
    await this.room.changes.until(() => events.length > after, ms)
    return events.slice(after)
  }

  /** Ends the work of the house, and counts the batches in each settled state. */
  async close (ms: number): Promise<object> {
    if (this.isClosing) throw new Refusal(409, 'closing')
    this.isClosing = true
    for (const batch of this.inState('waiting')) this.cancelBatch(batch)
    await this.room.changes.until(() => this.inState('dyeing').length === 0, ms)
    for (const batch of this.inState('dyeing')) this.cancelBatch(batch)
    return Object.fromEntries(SETTLED.map(state => [state, this.inState(state).length]))
  }

  private inState (state: State): Batch[] {
    return [...this.batches.values()].filter(batch => batch.state === state)
  }

  private knownVat (id: string): Vat {
    const vat = this.vats.get(id)
    if (vat === undefined) throw new Refusal(404, 'no-vat', { vat: id })
    return vat
  }

  private knownBatch (id: string): Batch {
    const batch = this.batches.get(id)
    if (batch === undefined) throw new Refusal(404, 'no-batch', { batch: id })
    return batch
  }

  private vatsOf (batch: Batch): Vat[] {
    return batch.order.vats.map(id => this.knownVat(id))
  }

  /** Puts a batch into a state, and wakes those who wait for it. */
  private enter (batch: Batch, state: State): void {
    batch.state = state
    this.customers.get(batch.order.customer).report(batch.id, state)
    this.room.changes.notify()
  }

  /** Begins all batches that can, in their order. A batch that cannot keeps its vats from later ones. */
  private beginWaiting (): void {
    const wanted = new Set<Vat>()
    for (const batch of this.inState('waiting').sort((one, other) => one.turn - other.turn)) {
      if (this.customers.get(batch.order.customer).isBusy()) continue
      const vats = this.vatsOf(batch)
      if (vats.every(vat => vat.batch === null && !wanted.has(vat))) this.begin(batch)
      else for (const vat of vats) wanted.add(vat)
    }
  }

  private begin (batch: Batch): void {
    const { dye, grams, ms } = batch.order
    clearTimeout(batch.timer)
    if (this.room.available(dye) < grams) {
      this.enter(batch, 'failed')
      return
    }
    this.room.record({ [dye]: -grams })
    for (const vat of this.vatsOf(batch)) {
      vat.batch = batch
      vat.log.push({ batch: batch.id, event: 'begins' })
    }
    batch.timer = setTimeout(() => { this.finish(batch) }, ms)
    this.customers.begins(batch.order.customer, batch.turn)
    this.enter(batch, 'dyeing')
  }

  private finish (batch: Batch): void {
    this.leaveVats(batch, 'ends')
    this.enter(batch, 'done')
    this.beginWaiting()
  }

  private leaveVats (batch: Batch, event: string): void {
    for (const vat of this.vatsOf(batch)) {
      vat.batch = null
      vat.log.push({ batch: batch.id, event })
    }
    this.customers.get(batch.order.customer).dyeing--
  }

  private cancelBatch (batch: Batch): void {
    clearTimeout(batch.timer)
    if (batch.state === 'dyeing') {
      this.leaveVats(batch, 'stops')
      this.room.record({ [batch.order.dye]: batch.order.grams })
    }
    this.enter(batch, 'cancelled')
  }

  private watchPatience (batch: Batch): void {
    const { patience } = batch.order
    if (batch.state !== 'waiting' || patience === undefined) return
    if (patience === 0) {
      this.enter(batch, 'expired')
      return
    }
    batch.timer = setTimeout(() => {
      this.enter(batch, 'expired')
      this.beginWaiting()
    }, patience)
  }
}
