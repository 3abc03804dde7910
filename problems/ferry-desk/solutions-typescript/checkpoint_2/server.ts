// HTTP around the service. Requests are answered one after another.

import * as http from 'http'

import { makeRequest, type Reply, type Request } from './routing'

export function serve (port: number, answer: (request: Request) => Reply): void {
  const server = http.createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      send(outgoing, answer(makeRequest(method, url, headers, Buffer.concat(chunks))))
    })
  })
  server.listen(port, '127.0.0.1')
}

function send (outgoing: http.ServerResponse, { status, body, headers }: Reply): void {
  const payload = Buffer.from(JSON.stringify(body))
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': payload.length,
    ...headers
  })
  outgoing.end(payload)
}
