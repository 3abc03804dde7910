// Commands from a text, one on each line.

import * as checks from './checks'
import { understandLine } from './commands'
import { checksum } from './crc32'
import { NotUnderstood, Refused } from './errors'
import type { Folder } from './folder'
import { Session } from './session'

export class Batch {
  private readonly sessions = new Map<string, Session>()
  private refused = 0

  constructor (private readonly folder: Folder, private readonly say: (line: string) => void) {}

  /** Says a reply to each line of a text. Returns whether all lines were done. */
  run (text: string): boolean {
    for (const line of commandLines(text)) {
      this.reply(() => this.runAddressed(line)).forEach(this.say)
    }
    return this.refused === 0
  }

  private reply (run: () => string[]): string[] {
    try {
      return run()
    } catch (error) {
      this.refused++
      if (error instanceof NotUnderstood) return ['error: bad command']
      if (error instanceof Refused) return [`error: ${error.message}`]
      throw error
    }
  }

  private runAddressed (line: string): string[] {
    if (!line.startsWith('@')) return this.runLine(this.sessionNamed('main'), line)
    const [, name, rest] = /^@([^ ]*) ?(.*)$/s.exec(line)!
    return this.runLine(this.sessionNamed(checks.session(name)), rest)
  }

  private sessionNamed (name: string): Session {
    const session = this.sessions.get(name) ?? new Session(this.folder)
    this.sessions.set(name, session)
    return session
  }

  private runLine (session: Session, line: string): string[] {
    return line.split(' ')[0] === 'each' ? this.runEach(session, line) : runCommand(session, line)
  }

  private runEach (session: Session, line: string): string[] {
    const [, first, last, ...words] = line.split(' ')
    if (words.length === 0) throw new NotUnderstood('each takes FROM TO LINE')
    const from = checks.number(first)
    const to = checks.number(last)
    if (from > to) throw new Refused('bad range')
    const before = this.refused
    const replies: string[] = []
    for (let number = from; number <= to; number++) {
      const numberedLine = numbered(words.join(' '), number)
      replies.push(...this.reply(() => runCommand(session, numberedLine)))
    }
    const refused = this.refused - before
    const sum = checksum(Buffer.from(replies.map(reply => `${reply}\n`).join('')))
    return [`each: ${to - from + 1 - refused} done, ${refused} refused, ${sum}`]
  }
}

function runCommand (session: Session, line: string): string[] {
  const { command, args } = understandLine(line)
  return command.run(session, args)
}

/** The line with the number in place of each run of `#`, and as long as the run. */
function numbered (line: string, number: number): string {
  return line.replace(/#+/g, run => String(number).padStart(run.length, '0'))
}

/** The lines that contain a command. */
function commandLines (text: string): string[] {
  return text.split('\n')
    .map(line => line.replace(/\r$/, ''))
    .filter(line => line !== '' && !line.startsWith('#'))
}
