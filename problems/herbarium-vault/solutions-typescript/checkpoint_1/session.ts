// A user of a folder.

import type { Folder } from './folder'
import type { Store } from './records'

export class Session {
  constructor (readonly folder: Folder) {}

  /** The content that commands read and change. */
  get store (): Store {
    return this.folder.store
  }
}
