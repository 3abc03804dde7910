// Everything that is printed.

import type { Event, Simulation } from './simulation'
import { written } from './times'
import type { Chamber, Voyage } from './traffic'

export function logLines (events: Event[]): string[] {
  return events.map(({ minute, text }) => `${written(minute)} ${text}`)
}

function byName<T> (things: Map<string, T>): T[] {
  return [...things.keys()].sort().map(name => things.get(name)!)
}

export function summaryLines ({ voyages, chambers }: Simulation): string[] {
  return [...byName(voyages).map(boatLine), ...[...chambers.values()].map(lockLine)]
}

function boatLine ({ boat, departed = 0, arrived = 0, waited }: Voyage): string {
  const times = `departed ${written(departed)}, arrived ${written(arrived)}`
  return `boat ${boat.name}: ${times}, travel ${arrived - departed}, waited ${waited}`
}

function lockLine (chamber: Chamber): string {
  const { lock, carried, busy, longestQueue } = chamber
  const counts = `lifted ${carried.up}, lowered ${carried.down}, busy ${busy}, longest queue ${longestQueue}`
  return [`lock ${lock.name}: ${counts}`, ...lockItems(chamber)].join(', ')
}

function lockItems ({ lock: { features }, passages, turns }: Chamber): string[] {
  return [
    ...features.room === undefined ? [] : [`passages ${passages}`],
    ...features.turn === 0 ? [] : [`turns ${turns}`]
  ]
}
