// The stoker: keeps the books of a pottery studio that shares its kilns, over HTTP.

import { parseArgs } from 'util'

import { serve } from './server'
import { Service } from './service'

const { values } = parseArgs({ options: { port: { type: 'string' }, data: { type: 'string' } } })
if (values.port === undefined || values.data === undefined) {
  console.error('usage: stoker --port N --data DIR')
  process.exit(2)
}
const service = new Service(values.data)
serve(Number(values.port), request => service.answer(request))
