// Leases: kilns that belong to one member for a time.

import { conflict } from './errors'
import type { Firing } from './firings'
import { note } from './history'
import { busyWith, opening } from './planning'
import { find, type Studio } from './studio'

const WEEK = 10080
const QUOTA = 1440

interface Order { member: string, kiln: string, from: number, to: number }

export interface Lease extends Order { id: string, cancelled: boolean }

export function addLease (studio: Studio, order: Order): Lease {
  const kiln = find(studio.kilns, order.kiln, 'kiln')
  const { from, to, member } = order
  if (from < studio.now) throw conflict('in-the-past')
  const [taken] = leasesOf(studio, kiln.id, from, to)
  if (taken !== undefined) throw conflict('lease-taken', { lease: taken.id })
  const firing = busyWith(studio, kiln, from, to).find(other => other.member !== member)
  if (firing !== undefined) throw conflict('kiln-busy', { until: opening(firing) })
  refuseOverQuota(studio, order)
  const lease = { id: `L${studio.leases.size + 1}`, ...order, cancelled: false }
  studio.leases.set(lease.id, lease)
  note(studio, 'lease-made', lease)
  return lease
}

/** The leases of a kiln between two minutes, the earliest first. */
function leasesOf (studio: Studio, kiln: string, first: number, last: number): Lease[] {
  return [...studio.leases.values()]
    .filter(lease => lease.kiln === kiln && !lease.cancelled && first < lease.to && lease.from < last)
    .sort((a, b) => a.from - b.from)
}

/** The leases of others that are in a firing's way, the earliest first. */
export function foreignLeases (studio: Studio, firing: Firing): Lease[] {
  return leasesOf(studio, firing.kiln, firing.starts, opening(firing))
    .filter(({ member }) => member !== firing.member)
}

/** The member of a firing that starts within a lease of its member. */
export function soleOwner (studio: Studio, { kiln, starts, member }: Firing): string | undefined {
  const isLeased = leasesOf(studio, kiln, starts, starts + 1).some(lease => lease.member === member)
  return isLeased ? member : undefined
}

function refuseOverQuota (studio: Studio, order: Order): void {
  const own = [...studio.leases.values()].filter(({ member, cancelled }) => member === order.member && !cancelled)
  for (let week = Math.floor(order.from / WEEK); week * WEEK < order.to; week++) {
    const left = QUOTA - own.reduce((sum, lease) => sum + minutesIn(week, lease), 0)
    if (minutesIn(week, order) > left) throw conflict('over-quota', { week, left })
  }
}

function minutesIn (week: number, { from, to }: Order): number {
  return Math.max(0, Math.min(to, (week + 1) * WEEK) - Math.max(from, week * WEEK))
}

export function showLease (studio: Studio, lease: Lease): object {
  const { cancelled: _, ...shown } = lease
  return { ...shown, state: stateOf(studio, lease) }
}

function stateOf ({ now }: Studio, { cancelled, from, to }: Lease): string {
  if (cancelled) return 'cancelled'
  if (now < from) return 'booked'
  return now < to ? 'running' : 'ended'
}

export function cancelLease (studio: Studio, lease: Lease): void {
  const state = stateOf(studio, lease)
  if (state === 'booked') lease.cancelled = true
  else if (state === 'running') lease.to = studio.now
  else throw conflict('lease-over')
  note(studio, 'lease-cancelled', lease)
}
