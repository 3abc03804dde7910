// Reads scenarios.

import { atLine, CanalError } from './errors'
import { name, number, readName, readOptions, required, splitLines, type Options, type Values } from './lines'
import { Lock, Reach, Scenario, type Boat, type Section } from './model'
import { parseTime } from './times'

const REACH_OPTIONS: Options = { length: required(number(1, 9999)) }

const LOCK_OPTIONS: Options = {
  up: required(number(1, 999)),
  down: required(number(1, 999))
}

const BOAT_OPTIONS: Options = {
  from: required(name),
  to: required(name),
  at: required(parseTime),
  pace: required(number(1, 999))
}

interface Word { options: Options, read: (name: string, values: Values) => void }

/** Reads the lines of a scenario, one after another. */
class Reader {
  readonly scenario = new Scenario()
  private readonly names = new Set<string>()

  private readonly words = new Map<string, Word>([
    ['stop', { options: {}, read: name => this.readStop(name) }],
    ['reach', { options: REACH_OPTIONS, read: (name, values) => this.readReach(name, values) }],
    ['lock', { options: LOCK_OPTIONS, read: (name, values) => this.readLock(name, values) }],
    ['boat', { options: BOAT_OPTIONS, read: (name, values) => this.readBoat(name, values) }]
  ])

  read (text: string): void {
    for (const { number, words } of splitLines(text)) {
      atLine(number, () => this.readLine(words))
    }
    this.finish()
  }

  private readLine ([first, second, ...rest]: string[]): void {
    const word = this.words.get(first)
    if (word === undefined) throw new CanalError(`unknown word '${first}'`)
    const name = readName(second)
    word.read(name, readOptions(word.options, rest))
  }

  private claim (name: string): void {
    if (this.names.has(name)) throw new CanalError(`name '${name}' is taken`)
    this.names.add(name)
  }

  private readStop (name: string): void {
    const { canal } = this.scenario
    this.claim(name)
    if (canal.endsWithStop()) throw new CanalError('two stops in a row')
    canal.add(name)
  }

  private readReach (name: string, { length }: Values): void {
    this.claim(name)
    this.addSection(new Reach(name, length))
  }

  private readLock (name: string, { up, down }: Values): void {
    this.claim(name)
    this.addSection(new Lock(name, { up, down }))
  }

  private addSection (section: Section): void {
    if (this.scenario.canal.isEmpty()) throw new CanalError('canal must begin with a stop')
    this.scenario.canal.add(section)
  }

  private readBoat (name: string, values: Values): void {
    this.claim(name)
    this.checkVoyage(name, values)
    const { from, to, at, pace } = values
    const boat: Boat = { name, start: from, goal: to, departs: at, pace }
    this.scenario.boats.set(name, boat)
  }

  private checkVoyage (name: string, { from, to }: Values): void {
    for (const stop of [from, to]) {
      if (!this.scenario.canal.stops().includes(stop)) throw new CanalError(`no stop '${stop}'`)
    }
    if (from === to) throw new CanalError(`boat ${name} goes nowhere`)
  }

  /** Checks the scenario as a whole. */
  private finish (): void {
    const { canal } = this.scenario
    if (canal.isEmpty()) throw new CanalError('no canal')
    if (!canal.endsWithStop()) throw new CanalError('canal must end with a stop')
  }
}

export function parseScenario (text: string): Scenario {
  const reader = new Reader()
  reader.read(text)
  return reader.scenario
}
