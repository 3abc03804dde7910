// Changes to a simulation that has been stopped.

import { CanalError } from './errors'
import { number, required, type Values } from './lines'
import { BOAT_OPTIONS, checkRoute, CLOSURE_OPTIONS, Reader, RESERVATION_OPTIONS, type Word } from './scenario'
import type { Simulation } from './simulation'

const RANK_OPTIONS = { value: required(number(0, 9)) }
const REFILL_OPTIONS = { value: required(number(1, 999999)) }

export class Edits extends Reader {
  constructor (private readonly simulation: Simulation) {
    super(simulation.scenario)
  }

  protected override knownWords (): Record<string, Word> {
    return {
      boat: { options: BOAT_OPTIONS, read: (name, values) => this.addLateBoat(name, values) },
      closure: { options: CLOSURE_OPTIONS, read: (name, values) => this.readClosure(name, values) },
      reserve: { options: RESERVATION_OPTIONS, read: (name, values) => this.readReservation(name, values) },
      open: { options: {}, read: name => this.open(name) },
      cancel: { options: {}, read: name => this.cancel(name) },
      rank: { options: RANK_OPTIONS, read: (name, { value }) => { this.findBoat(name).rank = value } },
      refill: { options: REFILL_OPTIONS, read: (name, { value }) => this.setRefill(name, value) }
    }
  }

  private addLateBoat (name: string, values: Values): void {
    const boat = this.readBoat(name, values)
    if (boat.departs <= this.simulation.now) throw new CanalError(`boat ${name} departs too early`)
    checkRoute(this.simulation.network, boat)
    this.simulation.addBoat(boat)
  }

  private open (section: string): void {
    this.checkSection(section)
    this.scenario.closures.lift(section)
  }

  private cancel (name: string): void {
    this.findBoat(name)
    if (this.simulation.voyages.get(name)?.departed !== undefined) throw new CanalError(`boat ${name} has departed`)
    this.scenario.boats.delete(name)
    this.simulation.voyages.delete(name)
    for (const [lock, reservations] of this.scenario.reservations) {
      this.scenario.reservations.set(lock, reservations.filter(({ boat }) => boat !== name))
    }
  }

  private setRefill (name: string, value: number): void {
    const reservoir = this.scenario.reservoirs.get(name)
    if (reservoir === undefined) throw new CanalError(`no reservoir '${name}'`)
    this.simulation.stores.get(name)!.refresh(this.simulation.now)
    reservoir.refill = value
  }

  protected override finish (): void {
    this.simulation.wakeAll()
  }
}
