// The folder of a store.

import * as fs from 'fs'

import { Refused } from './errors'
import { PlainStore } from './plainstore'
import type { Store } from './records'

export class Folder {
  private opened?: Store

  constructor (private readonly path: string) {
    if (fs.existsSync(path) && !fs.statSync(path).isDirectory()) throw new Refused(`${path} is not a folder`)
  }

  /** The store, which is opened when it is first needed. */
  get store (): Store {
    this.opened ??= new PlainStore(this.path)
    return this.opened
  }
}
