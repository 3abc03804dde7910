// A user of a folder.

import type { Folder } from './folder'
import type { LogStore } from './logstore'
import type { Store } from './records'

export class Session {
  constructor (readonly folder: Folder) {}

  /** The content that commands read and change. */
  get store (): Store {
    return this.folder.store
  }

  /** The committed content, which must be a log. */
  get logStore (): LogStore {
    return this.folder.logStore
  }
}
