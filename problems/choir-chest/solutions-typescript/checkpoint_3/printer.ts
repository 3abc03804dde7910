// The printer: a program of the house, started without a shell.

import { spawnSync } from 'child_process'

import { Refusal } from './refusal'

const MOST_CHARACTERS = 100

/** The output of the printer. */
export function runPrinter (title: string, text: string): Buffer {
  if ([...title].length > MOST_CHARACTERS || /\p{Cc}/u.test(title)) throw new Refusal('bad title')
  const command = process.env.CHEST_PRINTER ?? ''
  if (command === '') throw new Refusal('no printer')
  const [program, ...words] = command.split(' ')
  try {
    const ended = spawnSync(program, [...words, `--title=${title}`], {
      input: text,
      env: { PATH: process.env.PATH },
      maxBuffer: Infinity
    })
    if (ended.status === 0) return ended.stdout
  } catch {
    // An empty name of a program is refused before it is started.
  }
  throw new Refusal('printer failed')
}
