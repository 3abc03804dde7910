// One of several users of a folder, with or without a transaction.

import { Refused } from './errors'
import { havingTerm } from './find'
import type { Folder } from './folder'
import type { LogStore } from './logstore'
import type { Entry, Store } from './records'
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
    transaction.end()
    return transaction
  }

  /** The records with a term, as this session sees them. */
  find (path: string, term: string): Entry[] {
    const { logStore, transaction } = this
    const candidates = logStore.candidates(path, term)
    if (transaction === undefined) return havingTerm(candidates, key => logStore.get(key), path, term)
    return havingTerm([...candidates, ...transaction.writtenKeys()], key => transaction.peek(key), path, term)
  }

  /** The records with a term at a version. */
  findAt (version: number, path: string, term: string): Entry[] {
    const snapshot = this.logStore.asOf(version)
    return havingTerm(this.logStore.candidates(path, term), key => snapshot.get(key), path, term)
  }
}
