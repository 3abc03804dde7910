// Reasons for which a request is refused.

/** A request that is answered with a status and a code, and changes nothing. */
export class Refusal extends Error {
  readonly body: object

  constructor (readonly status: number, code: string, more: object = {}) {
    super(code)
    this.body = { error: code, ...more }
  }
}

export function badField (field: string): Refusal {
  return new Refusal(422, 'bad-field', { field })
}

export function notFound (code: string): Refusal {
  return new Refusal(404, code)
}

export function conflict (code: string, more: object = {}): Refusal {
  return new Refusal(409, code, more)
}
