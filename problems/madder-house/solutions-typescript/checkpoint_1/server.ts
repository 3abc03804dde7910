// HTTP around the house.

import * as http from 'http'

import { answer } from './routes'
import type { StoreRoom } from './storeroom'

export function serve (port: number, house: StoreRoom): void {
  const server = http.createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const [path, query = ''] = (incoming.url ?? '').split(/\?(.*)/s)
      const request = { method: incoming.method ?? '', path, query, body: Buffer.concat(chunks) }
      void answer(house, request).then(({ status, body }) => {
        const payload = Buffer.from(JSON.stringify(body))
        outgoing.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': payload.length })
        outgoing.end(payload)
      })
    })
  })
  server.listen(port, '127.0.0.1')
}
