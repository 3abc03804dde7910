// One of several users of a folder, with or without a transaction.

import { Refused } from './errors'
import type { Folder } from './folder'
import type { LogStore } from './logstore'
import type { Store } from './records'
import { Transaction } from './transaction'

export class Session {
  private transaction?: Transaction

  constructor (readonly folder: Folder) {}

  /** The content that commands read and change. */
  get store (): Store {
    return this.transaction ?? this.folder.store
  }

  /** The committed content, which must be a log. */
  get logStore (): LogStore {
    return this.folder.logStore
  }

  begin (): number {
    const store = this.logStore
    if (this.transaction !== undefined) throw new Refused('already in a transaction')
    this.transaction = new Transaction(store)
    return this.transaction.begunAt
  }

  /** Ends the transaction. Returns the new version, if there is one. */
  commit (): number | undefined {
    return this.end().commit()
  }

  rollback (): void {
    this.end()
  }

  private end (): Transaction {
    const { transaction } = this
    if (transaction === undefined) throw new Refused('not in a transaction')
    this.transaction = undefined
    return transaction
  }
}
