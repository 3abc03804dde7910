// Canals: stops and sections, from the bottom to the top.

import type { Direction, Section, Step } from './model'

/** A stop is its name. */
type Element = string | Section

/** The steps from a stop to a neighbouring one. */
export interface Leg { start: string, goal: string, steps: Step[] }

export class Canal {
  private readonly elements: Element[] = []

  constructor (readonly name?: string) {}

  add (element: Element): void {
    this.elements.push(element)
  }

  isEmpty (): boolean {
    return this.elements.length === 0
  }

  endsWithStop (): boolean {
    return typeof this.elements[this.elements.length - 1] === 'string'
  }

  stops (): string[] {
    return this.elements.filter((element): element is string => typeof element === 'string')
  }

  sections (): Section[] {
    return this.elements.filter((element): element is Section => typeof element !== 'string')
  }

  /** From each stop to the next one, both ways. */
  legs (): Leg[] {
    return [...legs(this.elements, 'up'), ...legs([...this.elements].reverse(), 'down')]
  }
}

function legs (elements: Element[], direction: Direction): Leg[] {
  const found: Leg[] = []
  let start = ''
  let steps: Step[] = []
  elements.forEach((element, at) => {
    if (typeof element === 'string') {
      if (steps.length > 0) found.push({ start, goal: element, steps })
      start = element
      steps = []
    } else {
      const next = elements[at + 1]
      steps.push({ section: element, direction, stop: typeof next === 'string' ? next : undefined })
    }
  })
  return found
}
