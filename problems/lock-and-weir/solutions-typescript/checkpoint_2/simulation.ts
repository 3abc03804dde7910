// Runs a scenario from one minute in which something is due to the next. In a minute, first the
// boats act, in the order of their names, and then the locks, in the order of the scenario.

import { Agenda } from './agenda'
import { LEVEL_AFTER, LEVEL_TO_ENTER, Lock, type Level, type Scenario } from './model'
import { Chamber, Voyage } from './traffic'

/** Something that happens. Its text is a line of the log without the time. */
export interface Event { minute: number, text: string }

export class Simulation {
  now = 0
  readonly events: Event[] = []
  readonly voyages = new Map<string, Voyage>()
  readonly chambers = new Map<string, Chamber>()
  private readonly agenda = new Agenda()
  /** The locks that act in this minute. */
  private touched = new Set<string>()

  constructor (scenario: Scenario) {
    for (const lock of scenario.locks()) this.chambers.set(lock.name, new Chamber(lock))
    for (const boat of scenario.boats.values()) {
      this.voyages.set(boat.name, new Voyage(boat, scenario.canal.way(boat.start, boat.goal)))
      this.agenda.add(boat.departs, 'boats', boat.name)
    }
  }

  run (): void {
    while (this.agenda.nextMinute() < Infinity) this.runMinute()
  }

  private runMinute (): void {
    this.now = this.agenda.nextMinute()
    const { boats, locks } = this.agenda.take()
    this.touched = locks
    for (const name of [...boats].sort()) this.act(this.voyages.get(name)!)
    for (const [name, chamber] of this.chambers) {
      if (this.touched.has(name)) this.operate(chamber)
    }
  }

  private log (text: string): void {
    this.events.push({ minute: this.now, text })
  }

  private act (voyage: Voyage): void {
    const { name, start } = voyage.boat
    if (voyage.departed === undefined) {
      voyage.departed = this.now
      this.log(`${name} departs ${start}`)
    } else {
      this.finishSection(voyage)
    }
    if (voyage.arrived === undefined) this.enterSection(voyage)
  }

  private finishSection (voyage: Voyage): void {
    const { name, goal } = voyage.boat
    const { section, stop } = voyage.finishStep()
    if (section instanceof Lock) this.log(`${name} leaves ${section.name}`)
    if (stop === goal) {
      voyage.arrived = this.now
      this.log(`${name} arrives at ${stop}`)
    } else if (stop !== undefined) {
      this.log(`${name} passes ${stop}`)
    }
  }

  private enterSection (voyage: Voyage): void {
    const { section } = voyage.step
    if (!(section instanceof Lock)) {
      this.occupy(voyage)
      return
    }
    voyage.joined = this.now
    this.chambers.get(section.name)!.queue.push(voyage)
    this.touched.add(section.name)
    this.log(`${voyage.boat.name} reaches ${section.name}`)
  }

  private occupy (voyage: Voyage): void {
    const { section, direction } = voyage.step
    this.schedule(voyage, this.now + section.minutes(voyage.boat, direction))
  }

  private schedule (voyage: Voyage, minute: number): void {
    this.agenda.add(minute, 'boats', voyage.boat.name)
  }

  private operate (chamber: Chamber): void {
    const group = chamber.nextGroup()
    if (chamber.freeAt <= this.now && group.length > 0) this.serve(chamber, group)
    chamber.longestQueue = Math.max(chamber.longestQueue, chamber.queue.length)
  }

  private serve (chamber: Chamber, group: Voyage[]): void {
    const level = LEVEL_TO_ENTER[group[0].step.direction]
    if (chamber.level !== level) this.turn(chamber, level)
    if (chamber.freeAt <= this.now && chamber.level === level) this.carry(chamber, group)
  }

  private turn (chamber: Chamber, level: Level): void {
    const { name, features: { turn } } = chamber.lock
    chamber.level = level
    if (turn === 0) return
    chamber.turns++
    this.log(`${name} turns to ${level}`)
    this.keepBusy(chamber, turn)
  }

  private carry (chamber: Chamber, group: Voyage[]): void {
    const { lock } = chamber
    const { direction } = group[0].step
    for (const voyage of group) this.take(chamber, voyage)
    chamber.level = LEVEL_AFTER[direction]
    chamber.passages++
    chamber.carried[direction] += group.length
    const names = group.map(({ boat }) => boat.name).join(', ')
    this.log(`${lock.name} ${direction === 'up' ? 'lifts' : 'lowers'} ${names}`)
    this.keepBusy(chamber, lock.features.duration[direction])
  }

  private take (chamber: Chamber, voyage: Voyage): void {
    chamber.queue = chamber.queue.filter(other => other !== voyage)
    voyage.waited += this.now - voyage.joined!
    this.occupy(voyage)
  }

  private keepBusy (chamber: Chamber, minutes: number): void {
    chamber.busy += minutes
    chamber.freeAt = this.now + minutes
    this.agenda.add(chamber.freeAt, 'locks', chamber.lock.name)
  }
}
