// Canals: stops and sections, from the bottom to the top.

import type { Direction, Section, Step } from './model'

/** A stop is its name. */
type Element = string | Section

export class Canal {
  private readonly elements: Element[] = []

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

  /** The steps from one stop to another. */
  way (start: string, goal: string): Step[] {
    const from = this.elements.indexOf(start)
    const to = this.elements.indexOf(goal)
    return from < to
      ? steps(this.elements.slice(from + 1, to + 1), 'up')
      : steps(this.elements.slice(to, from).reverse(), 'down')
  }
}

/** Steps through elements that begin behind a stop. */
function steps (elements: Element[], direction: Direction): Step[] {
  return elements.flatMap((section, at) => {
    if (typeof section === 'string') return []
    const next = elements[at + 1]
    return [{ section, direction, stop: typeof next === 'string' ? next : undefined }]
  })
}
