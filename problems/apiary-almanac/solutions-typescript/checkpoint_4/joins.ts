// Joins: fields of other records, found by a value that both have.

import { Fault } from './faults'
import type { Join } from './model'
import { keyOf, shown, valueOf, type Fields } from './values'

/** Gives records with the fields of those that belong to them, as NAME.FIELD. */
export function joiner (joins: Join[], records: Fields[]): (record: Fields) => Fields {
  const found = joins.map(join => byValue(join, records))
  return record => {
    const result = new Map(record)
    joins.forEach((join, index) => {
      const others = found[index].get(keyOf(valueOf(result, join.ours))) ?? []
      for (const [name, value] of theOne(join, others)) result.set(`${join.name}.${name}`, value)
    })
    return result
  }
}

function byValue ({ kind, theirs }: Join, records: Fields[]): Map<string, Fields[]> {
  const found = new Map<string, Fields[]>()
  for (const record of records) {
    const value = valueOf(record, theirs)
    if (record.get('kind') !== kind || value === null) continue
    found.set(keyOf(value), [...found.get(keyOf(value)) ?? [], record])
  }
  return found
}

function theOne ({ place, kind, theirs }: Join, records: Fields[]): Fields {
  if (records.length > 1) {
    throw new Fault(`${place}: several records of ${kind} with ${theirs} ${shown(valueOf(records[0], theirs))}`)
  }
  return records[0] ?? new Map()
}
