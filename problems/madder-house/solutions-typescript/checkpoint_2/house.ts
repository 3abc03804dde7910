// The house: vats, and the batches that are dyed in them.

import { Batch, isSettled, type Order, type State } from './batches'
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

  order (order: Order): object {
    this.check(order)
    const batch = new Batch(this.batches.size + 1, order)
    this.batches.set(batch.id, batch)
    this.beginWaiting()
    return batch.shape()
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
    this.room.changes.notify()
  }

  /** Begins all batches that can, in their order. A batch that cannot keeps its vats from later ones. */
  private beginWaiting (): void {
    const wanted = new Set<Vat>()
    for (const batch of this.inState('waiting')) {
      const vats = this.vatsOf(batch)
      if (vats.every(vat => vat.batch === null && !wanted.has(vat))) this.begin(batch)
      else for (const vat of vats) wanted.add(vat)
    }
  }

  private begin (batch: Batch): void {
    const { dye, grams, ms } = batch.order
    if (this.room.available(dye) < grams) {
      this.enter(batch, 'failed')
      return
    }
    this.room.record({ [dye]: -grams })
    for (const vat of this.vatsOf(batch)) {
      vat.batch = batch
      vat.log.push({ batch: batch.id, event: 'begins' })
    }
    setTimeout(() => { this.finish(batch) }, ms)
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
  }
}
