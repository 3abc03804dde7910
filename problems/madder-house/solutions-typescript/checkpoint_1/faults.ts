/** A reason for which a request is refused. */
export class Refusal extends Error {
  readonly body: object

  constructor (readonly status: number, code: string, details: object = {}) {
    super(code)
    this.body = { fault: code, ...details }
  }
}

export function wrongField (name: string): Refusal {
  return new Refusal(422, 'wrong-field', { field: name })
}
