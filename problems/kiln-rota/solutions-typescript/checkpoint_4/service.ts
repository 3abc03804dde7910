// Answers requests, and keeps those that changed something in the journal.

import { Journal } from './journal'
import { perform } from './performing'
import { makeRequest, type Reply, type Request } from './routing'
import { newStudio } from './studio'

export class Service {
  private readonly studio = newStudio()
  private readonly journal: Journal

  constructor (folder: string) {
    this.journal = new Journal(folder)
    for (const { method, path, body } of this.journal.entries()) {
      perform(this.studio, makeRequest(method, path, Buffer.from(body)))
    }
  }

  answer (request: Request): Reply {
    const reply = perform(this.studio, request)
    if (request.method !== 'GET' && reply.status < 300) {
      const { method, path, body } = request
      this.journal.append({ method, path, body: body.toString() })
    }
    return reply
  }
}
