// Everything that is printed.

import type { Scenario } from './model'
import { sectionNames, wayMinutes, type Network } from './network'
import type { Event, Simulation } from './simulation'
import { written } from './times'
import type { Chamber, Store, Voyage } from './traffic'

export function logLines (events: Event[]): string[] {
  return events.map(({ minute, text }) => `${written(minute)} ${text}`)
}

/** The lines that only one of two logs has, by time, those of the first log before the others. */
export function differenceLines (before: Event[], after: Event[]): string[] {
  const removed = linesWithout('- ', before, after)
  const added = linesWithout('+ ', after, before)
  const lines = [...removed, ...added].sort((a, b) => a.minute - b.minute).map(({ text }) => text)
  return lines.length > 0 ? lines : ['no difference']
}

function linesWithout (sign: string, events: Event[], others: Event[]): Event[] {
  const known = new Set(logLines(others))
  const lines = logLines(events)
  return events
    .map(({ minute }, at) => ({ minute, text: sign + lines[at] }))
    .filter((_, at) => !known.has(lines[at]))
}

export function routeLines ({ boats }: Scenario, network: Network): string[] {
  return byName(boats).map(boat => {
    const way = network.route(boat, boat.start, new Set())!
    return `boat ${boat.name}: ${wayMinutes(way, boat)} minutes by ${sectionNames(way).join(', ')}`
  })
}

function byName<T> (things: Map<string, T>): T[] {
  return [...things.keys()].sort().map(name => things.get(name)!)
}

export function summaryLines ({ now, voyages, chambers, stores }: Simulation): string[] {
  return [
    ...byName(voyages).map(voyage => boatLine(voyage, now)),
    ...[...chambers.values()].map(chamber => lockLine(chamber, now)),
    ...[...stores.values()].map(store => storeLine(store, now))
  ]
}

function boatLine (voyage: Voyage, minute: number): string {
  const { boat: { name }, departed, arrived } = voyage
  if (departed === undefined) return `boat ${name}: not departed`
  const progress = arrived === undefined
    ? 'under way'
    : `arrived ${written(arrived)}, travel ${arrived - departed}`
  const held = voyage.heldUntil(minute)
  const end = held > 0 ? `, held ${held}` : ''
  return `boat ${name}: departed ${written(departed)}, ${progress}, waited ${voyage.waitedUntil(minute)}${end}`
}

function lockLine (chamber: Chamber, minute: number): string {
  const { lock, carried, longestQueue } = chamber
  const busy = chamber.busyUntil(minute)
  const counts = `lifted ${carried.up}, lowered ${carried.down}, busy ${busy}, longest queue ${longestQueue}`
  return [`lock ${lock.name}: ${counts}`, ...lockItems(chamber)].join(', ')
}

function lockItems ({ lock: { features }, passages, turns, used }: Chamber): string[] {
  return [
    ...features.room === undefined ? [] : [`passages ${passages}`],
    ...features.turn === 0 ? [] : [`turns ${turns}`],
    ...features.supply === undefined ? [] : [`water ${used}`]
  ]
}

function storeLine (store: Store, minute: number): string {
  store.refresh(minute)
  return `reservoir ${store.reservoir.name}: level ${store.level}, used ${store.used}`
}
