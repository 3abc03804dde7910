// Reasons for which a request is refused.

/** A request that is answered with a status and a code, and changes nothing. */
export class Refusal extends Error {
  readonly body: Record<string, unknown>

  constructor (
    readonly status: number, code: string, more: object = {}, readonly headers: Record<string, string> = {}
  ) {
    super(code)
    this.body = { error: code, ...more }
  }
}

export function wrongMethod (allowed: string[]): Refusal {
  return new Refusal(405, 'wrong-method', {}, { Allow: [...new Set(allowed)].sort().join(', ') })
}

export function badInput (at: string): Refusal {
  return new Refusal(422, 'bad-input', { at })
}

/** A refusal of one edit, to which its place in the list is still to be added. */
export function editRefused (why: string): Refusal {
  return new Refusal(409, 'edit-refused', { why })
}

export interface Fault { at: string, fault: string }

export function refuseFaults (faults: Fault[]): void {
  if (faults.length > 0) throw new Refusal(422, 'bad-answers', { faults })
}

export function notFound (code: string): Refusal {
  return new Refusal(404, code)
}

export function conflict (code: string, more: object = {}): Refusal {
  return new Refusal(409, code, more)
}
