// Reasons for which a request is refused.

/** A request that is answered with a status and a code, and changes nothing. */
export class Refusal extends Error {
  readonly body: object

  constructor (readonly status: number, code: string, more: object = {}) {
    super(code)
    this.body = { fault: code, ...more }
  }
}

export function wrongField (field: string): Refusal {
  return new Refusal(422, 'wrong-field', { field })
}

export function missing (kind: string): Refusal {
  return new Refusal(404, `no-${kind}`)
}

export function conflict (code: string, more: object = {}): Refusal {
  return new Refusal(409, code, more)
}
