// Saved states: the text of the scenario, and everything that changes.

import { CanalError } from './errors'
import { readText, writeText } from './files'
import type { Direction, Section } from './model'
import { parseScenario } from './scenario'
import { Simulation } from './simulation'
import type { Chamber, Voyage } from './traffic'

const FORMAT = 'canal state 1'

interface SavedStep { section: string, direction: Direction, stop?: string }

interface SavedVoyage extends Omit<Voyage, 'boat' | 'plan' | 'step'> { plan?: SavedStep[] }

interface SavedChamber extends Omit<Chamber, 'lock' | 'queue' | 'taken'> { queue: string[], taken: string[] }

interface State {
  format: string
  minute: number
  scenario: string
  voyages: Record<string, SavedVoyage>
  chambers: Record<string, SavedChamber>
  stores: Record<string, { level: number, hour: number, used: number }>
}

export function save (path: string, text: string, simulation: Simulation): void {
  writeText(path, JSON.stringify({
    format: FORMAT,
    minute: simulation.now,
    scenario: text,
    voyages: mapped(simulation.voyages, savedVoyage),
    chambers: mapped(simulation.chambers, savedChamber),
    stores: mapped(simulation.stores, ({ level, hour, used }) => ({ level, hour, used }))
  }))
}

function mapped<T, U> (things: Map<string, T>, change: (thing: T) => U): Record<string, U> {
  return Object.fromEntries([...things].map(([name, thing]) => [name, change(thing)]))
}

function savedVoyage ({ boat: _, plan, ...voyage }: Voyage): object {
  return {
    ...voyage,
    plan: plan?.map(({ section, direction, stop }) => ({ section: section.name, direction, stop }))
  }
}

function savedChamber ({ lock: _, queue, taken, ...chamber }: Chamber): object {
  return { ...chamber, queue: queue.map(({ boat }) => boat.name), taken: [...taken] }
}

/** The text of the scenario, and the simulation as it was saved. */
export function load (path: string): { text: string, simulation: Simulation } {
  const content = readText(path)
  try {
    const state: State = JSON.parse(content)
    if (state.format !== FORMAT) throw new TypeError(`unknown format ${state.format}`)
    return { text: state.scenario, simulation: restored(state) }
  } catch {
    throw new CanalError(`${path} is not a saved state`)
  }
}

function restored (state: State): Simulation {
  const simulation = new Simulation(parseScenario(state.scenario))
  simulation.now = state.minute
  const sections = new Map(simulation.scenario.sections().map(section => [section.name, section]))
  for (const [name, voyage] of simulation.voyages) restoreVoyage(voyage, state.voyages[name], sections)
  for (const [name, chamber] of simulation.chambers) {
    restoreChamber(chamber, state.chambers[name], simulation.voyages)
  }
  for (const [name, store] of simulation.stores) Object.assign(store, state.stores[name])
  simulation.rebuildAgenda()
  return simulation
}

function restoreVoyage (voyage: Voyage, saved: SavedVoyage, sections: Map<string, Section>): void {
  const plan = saved.plan?.map(step => ({ ...step, section: sections.get(step.section)! }))
  Object.assign(voyage, { stop: undefined, due: undefined }, saved, { plan })
}

function restoreChamber (chamber: Chamber, saved: SavedChamber, voyages: Map<string, Voyage>): void {
  const queue = saved.queue.map(name => voyages.get(name)!)
  Object.assign(chamber, saved, { queue, taken: new Set(saved.taken) })
}
