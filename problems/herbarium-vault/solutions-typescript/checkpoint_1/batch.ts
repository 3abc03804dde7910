// Commands from a text, one on each line.

import { understandLine } from './commands'
import { NotUnderstood, Refused } from './errors'
import type { Folder } from './folder'
import { Session } from './session'

export class Batch {
  private readonly session: Session
  private refused = 0

  constructor (folder: Folder, private readonly say: (line: string) => void) {
    this.session = new Session(folder)
  }

  /** Says a reply to each line of a text. Returns whether all lines were done. */
  run (text: string): boolean {
    for (const line of commandLines(text)) {
      this.reply(line).forEach(this.say)
    }
    return this.refused === 0
  }

  private reply (line: string): string[] {
    try {
      const { command, args } = understandLine(line)
      return command.run(this.session, args)
    } catch (error) {
      this.refused++
      if (error instanceof NotUnderstood) return ['error: bad command']
      if (error instanceof Refused) return [`error: ${error.message}`]
      throw error
    }
  }
}

/** The lines that contain a command. */
function commandLines (text: string): string[] {
  return text.split('\n')
    .map(line => line.replace(/\r$/, ''))
    .filter(line => line !== '' && !line.startsWith('#'))
}
