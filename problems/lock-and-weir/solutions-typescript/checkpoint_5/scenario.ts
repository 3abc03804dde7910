// Reads scenarios.

import { Canal } from './canals'
import { atLine, CanalError } from './errors'
import { choice, name, number, readName, readOptions, required, splitLines, type Options, type Values } from './lines'
import { Lock, overlap, Reach, Scenario, type Boat, type Section, type Supply, type Window } from './model'
import { Network } from './network'
import { parseTime } from './times'

const REACH_OPTIONS: Options = { length: required(number(1, 9999)) }

const LOCK_OPTIONS: Options = {
  up: required(number(1, 999)),
  down: required(number(1, 999)),
  room: { read: number(1, 999) },
  turn: { read: number(0, 999), default: 0 },
  start: { read: choice('low', 'high'), default: 'low' },
  water: { read: number(1, 999999) },
  reservoir: { read: name }
}

const RESERVOIR_OPTIONS: Options = {
  capacity: required(number(1, 999999)),
  refill: required(number(1, 999999)),
  start: { read: number(0, 999999) }
}

export const BOAT_OPTIONS: Options = {
  from: required(name),
  to: required(name),
  at: required(parseTime),
  pace: required(number(1, 999)),
  size: { read: number(1, 999), default: 10 },
  rank: { read: number(0, 9), default: 0 }
}

const FLEET_OPTIONS: Options = {
  count: required(number(1, 9999)),
  every: required(number(0, 9999)),
  ...BOAT_OPTIONS
}

export const RESERVATION_OPTIONS: Options = {
  boat: required(name),
  from: required(parseTime),
  until: required(parseTime)
}

export const CLOSURE_OPTIONS: Options = { from: required(parseTime), until: required(parseTime) }

export interface Word { options: Options, read: (name: string, values: Values) => void }

/** Reads lines into a scenario, one after another. */
export class Reader {
  private line = 0

  constructor (protected readonly scenario: Scenario) {}

  protected knownWords (): Record<string, Word> {
    return {
      stop: { options: {}, read: name => this.readStop(name) },
      reach: { options: REACH_OPTIONS, read: (name, values) => this.readReach(name, values) },
      lock: { options: LOCK_OPTIONS, read: (name, values) => this.readLock(name, values) },
      boat: { options: BOAT_OPTIONS, read: (name, values) => this.readBoat(name, values) },
      reservoir: { options: RESERVOIR_OPTIONS, read: (name, values) => this.readReservoir(name, values) },
      reserve: { options: RESERVATION_OPTIONS, read: (name, values) => this.readReservation(name, values) },
      canal: { options: {}, read: name => this.readCanal(name) },
      closure: { options: CLOSURE_OPTIONS, read: (name, values) => this.readClosure(name, values) },
      fleet: { options: FLEET_OPTIONS, read: (name, values) => this.readFleet(name, values) }
    }
  }

  read (text: string): void {
    const known = new Map(Object.entries(this.knownWords()))
    for (const { number, words } of splitLines(text)) {
      this.line = number
      atLine(number, () => this.readLine(known, words))
    }
    this.finish()
  }

  private readLine (known: Map<string, Word>, [first, second, ...rest]: string[]): void {
    const word = known.get(first)
    if (word === undefined) throw new CanalError(`unknown word '${first}'`)
    const name = readName(second)
    word.read(name, readOptions(word.options, rest))
    if (!this.scenario.lines.has(name)) this.scenario.lines.set(name, this.line)
  }

  private claim (name: string): void {
    if (this.scenario.lines.has(name)) throw new CanalError(`name '${name}' is taken`)
  }

  private readCanal (name: string): void {
    this.claim(name)
    if (this.scenario.canals.length > 0) this.finishCanal()
    this.scenario.canals.push(new Canal(name))
  }

  private finishCanal (): void {
    const canal = this.canal()
    if (canal.isEmpty()) throw new CanalError(`canal ${canal.name} has no stop`)
    if (!canal.endsWithStop()) throw new CanalError('canal must end with a stop')
  }

  /** The canal that the line belongs to. */
  private canal (): Canal {
    const { canals } = this.scenario
    if (canals.length === 0) canals.push(new Canal())
    return canals[canals.length - 1]
  }

  private readStop (name: string): void {
    const canal = this.canal()
    if (!this.scenario.stops().has(name) || canal.stops().includes(name)) this.claim(name)
    if (canal.endsWithStop()) throw new CanalError('two stops in a row')
    canal.add(name)
  }

  private readReach (name: string, { length }: Values): void {
    this.claim(name)
    this.addSection(new Reach(name, length))
  }

  private readLock (name: string, { up, down, room, turn, start, water, reservoir }: Values): void {
    this.claim(name)
    const supply = this.readSupply(water, reservoir)
    this.addSection(new Lock(name, { duration: { up, down }, room, turn, start, supply }))
  }

  private readSupply (water?: number, reservoir?: string): Supply | undefined {
    if (water === undefined && reservoir === undefined) return undefined
    if (reservoir === undefined) throw new CanalError('water needs reservoir')
    if (water === undefined) throw new CanalError('reservoir needs water')
    const known = this.scenario.reservoirs.get(reservoir)
    if (known === undefined) throw new CanalError(`no reservoir '${reservoir}'`)
    if (water > known.capacity) throw new CanalError(`reservoir ${reservoir} holds too little`)
    return { water, reservoir }
  }

  private readReservoir (name: string, { capacity, refill, start = capacity }: Values): void {
    this.claim(name)
    if (start > capacity) throw new CanalError('start is above capacity')
    this.scenario.reservoirs.set(name, { name, capacity, refill, start })
  }

  private addSection (section: Section): void {
    if (this.canal().isEmpty()) throw new CanalError('canal must begin with a stop')
    this.canal().add(section)
  }

  protected readBoat (name: string, values: Values): Boat {
    this.claim(name)
    this.checkVoyage('boat', name, values)
    return this.addBoat(name, values, values.at)
  }

  private readFleet (name: string, values: Values): void {
    this.claim(name)
    this.checkVoyage('fleet', name, values)
    for (let index = 0; index < values.count; index++) {
      const boat = `${name}-${index + 1}`
      this.claim(boat)
      this.addBoat(boat, values, Number(values.at) + index * values.every)
      this.scenario.lines.set(boat, this.line)
    }
  }

  private checkVoyage (kind: string, name: string, { from, to }: Values): void {
    const stops = this.scenario.stops()
    for (const stop of [from, to]) {
      if (!stops.has(stop)) throw new CanalError(`no stop '${stop}'`)
    }
    if (from === to) throw new CanalError(`${kind} ${name} goes nowhere`)
  }

  private addBoat (name: string, { from, to, pace, size, rank }: Values, departs: number): Boat {
    const boat: Boat = { name, start: from, goal: to, departs, pace, size, rank }
    this.scenario.boats.set(name, boat)
    return boat
  }

  protected readReservation (lock: string, values: Values): void {
    const { boat } = values
    if (this.scenario.locks().every(({ name }) => name !== lock)) throw new CanalError(`no lock '${lock}'`)
    this.findBoat(boat)
    const window = readWindow(values)
    const reservations = this.scenario.reservations.get(lock) ?? []
    if (reservations.some(other => overlap(window, other.window))) {
      throw new CanalError(`lock ${lock} is already reserved then`)
    }
    reservations.push({ boat, window })
    this.scenario.reservations.set(lock, reservations)
  }

  protected findBoat (name: string): Boat {
    const boat = this.scenario.boats.get(name)
    if (boat === undefined) throw new CanalError(`no boat '${name}'`)
    return boat
  }

  protected readClosure (section: string, values: Values): void {
    this.checkSection(section)
    this.scenario.closures.add(section, readWindow(values))
  }

  protected checkSection (section: string): void {
    if (this.scenario.sections().every(({ name }) => name !== section)) {
      throw new CanalError(`no reach or lock '${section}'`)
    }
  }

  /** Checks the scenario as a whole. */
  protected finish (): void {
    if (this.scenario.canals.length === 0) throw new CanalError('no canal')
    this.finishCanal()
    const network = new Network(this.scenario.canals)
    for (const boat of this.scenario.boats.values()) {
      atLine(this.scenario.lines.get(boat.name)!, () => checkRoute(network, boat))
    }
  }
}

function readWindow ({ from, until }: Values): Window {
  if (until <= from) throw new CanalError('until is not after from')
  return { from, until }
}

export function checkRoute (network: Network, boat: Boat): void {
  if (network.route(boat, boat.start, new Set()) === undefined) {
    throw new CanalError(`boat ${boat.name} cannot get from ${boat.start} to ${boat.goal}`)
  }
}

export function parseScenario (text: string): Scenario {
  const scenario = new Scenario()
  new Reader(scenario).read(text)
  return scenario
}
