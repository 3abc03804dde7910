// Points of time: minutes since the start of day 0, written 3d07:45.

const HOUR = 60
const DAY = 24 * HOUR

/** The minute that a text names. */
export function parseTime (text: string): number | undefined {
  const match = /^(?:([0-9]{1,4})d)?([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(text)
  if (match === null) return undefined
  const [, day = '0', hour, minute] = match
  return Number(day) * DAY + Number(hour) * HOUR + Number(minute)
}

export function written (minute: number): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${Math.floor(minute / DAY)}d${two(Math.floor(minute % DAY / HOUR))}:${two(minute % HOUR)}`
}
