// Moves the clock.

import { finish } from './firings'
import type { Studio } from './studio'

/** Finishes the firings that end on the way. */
export function moveClock (studio: Studio, minutes: number): void {
  studio.now += minutes
  for (const firing of studio.firings.values()) {
    if (firing.state === 'firing' && firing.ends <= studio.now) finish(studio, firing)
  }
}
