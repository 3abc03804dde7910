// The purser: books places on the sailings of a ferry line, over HTTP.

import { parseArgs } from 'util'

import { Api } from './api'
import { serve } from './server'
import { Store } from './store'

const { values } = parseArgs({ options: { port: { type: 'string' }, data: { type: 'string' } } })
if (values.port === undefined || values.data === undefined) {
  console.error('usage: purser --port N --data DIR')
  process.exit(2)
}
const api = new Api(new Store(values.data))
serve(Number(values.port), request => api.answer(request))
