// What is refused: nothing is printed but these lines, on standard error.

export class Refusal extends Error {
  constructor (readonly lines: string[]) {
    super(lines.join('\n'))
  }
}

/** A refusal of one line that begins with `error: `. */
export const refused = (message: string): Refusal => new Refusal([`error: ${message}`])
