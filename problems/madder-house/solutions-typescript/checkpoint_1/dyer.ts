// The dyer: manages the store room and the vats of a dye works, over HTTP.

import { parseArgs } from 'util'

import { serve } from './server'
import { StoreRoom } from './storeroom'

const { values } = parseArgs({ options: { port: { type: 'string' } } })
if (values.port === undefined) {
  console.error('usage: dyer --port N')
  process.exit(2)
}
serve(Number(values.port), new StoreRoom())
