// The boats and locks that are due in each minute.

export type Kind = 'boats' | 'locks'

type Due = Record<Kind, Set<string>>

export class Agenda {
  /** The latest first. */
  private readonly minutes: number[] = []
  private readonly due = new Map<number, Due>()

  add (minute: number, kind: Kind, name: string): void {
    let due = this.due.get(minute)
    if (due === undefined) {
      due = { boats: new Set(), locks: new Set() }
      this.due.set(minute, due)
      this.minutes.splice(this.placeOf(minute), 0, minute)
    }
    due[kind].add(name)
  }

  /** The number of minutes that are later. */
  private placeOf (minute: number): number {
    let low = 0
    let high = this.minutes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.minutes[middle] > minute) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The earliest minute in which something is due, or infinity. */
  nextMinute (): number {
    return this.minutes[this.minutes.length - 1] ?? Infinity
  }

  /** Takes what is due in the earliest minute. */
  take (): Due {
    const minute = this.minutes.pop()!
    const due = this.due.get(minute)!
    this.due.delete(minute)
    return due
  }
}
