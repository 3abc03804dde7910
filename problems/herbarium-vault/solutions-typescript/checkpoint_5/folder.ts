// The folder of a store, in one of its two forms.

import * as fs from 'fs'

import { Refused } from './errors'
import { Log } from './log'
import { refuseDamage, type Reading } from './reading'
import { LogStore } from './logstore'
import { PlainStore } from './plainstore'
import type { Store } from './records'

export class Folder {
  private readonly log: Log
  private opened?: Store

  constructor (private readonly path: string) {
    if (fs.existsSync(path) && !fs.statSync(path).isDirectory()) throw new Refused(`${path} is not a folder`)
    this.log = new Log(path)
  }

  /** The store, which is opened when it is first needed. */
  get store (): Store {
    this.opened ??= this.open()
    return this.opened
  }

  /** The store, which must be a log. */
  get logStore (): LogStore {
    const { store } = this
    if (!(store instanceof LogStore)) throw new Refused('not a log')
    return store
  }

  private open (): Store {
    if (!this.log.exists()) return new PlainStore(this.path)
    const reading = this.log.read()
    refuseDamage(reading)
    if (reading.fault !== undefined) {
      this.log.cut(reading.fault.soundBytes)
      console.error(`recovered: dropped ${reading.fault.excessBytes} bytes`)
    }
    return new LogStore(this.log, reading)
  }

  /** Converts the folder to log form. Returns the number of records. */
  migrate (): number {
    if (this.log.exists()) throw new Refused('already a log')
    const plain = new PlainStore(this.path)
    const records = plain.select({})
    this.log.create(records.map(([key, value], index) => ({ kind: 'change', sequence: index + 1, key, value })))
    plain.discard()
    this.opened = undefined
    return records.length
  }

  /** The content of a log that must be sound. */
  verify (): Reading {
    const reading = this.existingLog().read()
    refuseDamage(reading)
    if (reading.fault !== undefined) {
      throw new Refused(`torn tail at line ${reading.fault.line}: ${reading.fault.excessBytes} bytes`)
    }
    return reading
  }

  /** Cuts the log before its first fault. Returns what was found. */
  repair (): Reading {
    const log = this.existingLog()
    const reading = log.read()
    if (reading.fault !== undefined) {
      log.cut(reading.fault.soundBytes)
      this.opened = undefined
    }
    return reading
  }

  private existingLog (): Log {
    if (!this.log.exists()) throw new Refused('not a log')
    return this.log
  }
}
