// Locations within lists and objects, such as `questions[2].label`.

export function member (at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}

export function item (at: string, index: number): string {
  return `${at}[${index}]`
}
