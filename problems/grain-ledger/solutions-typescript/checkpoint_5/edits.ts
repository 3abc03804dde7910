// The edits of a sheet: kept beside its file, with those that were taken back.

import * as fs from 'fs'

import { formatDefinition } from './formatter'
import { Definition, type Sheet } from './model'
import { Parser } from './parser'
import { Refusal, refused } from './refusal'
import { LineFault } from './tokens'

export interface Edit {
  name: string
  /** The definition as it was given; null where the name was removed. */
  text: string | null
}

/** Edits in effect, the oldest first, and those that were undone, the next to redo last. */
export class EditLog {
  constructor (readonly file: string, readonly done: Edit[] = [], readonly undone: Edit[] = []) {}

  static load (file: string): EditLog {
    const path = pathOf(file)
    if (!fs.existsSync(path)) return new EditLog(file)
    try {
      const { done, undone } = JSON.parse(fs.readFileSync(path, 'utf8'))
      return new EditLog(file, done.map(checkedEdit), undone.map(checkedEdit))
    } catch {
      throw refused(`${path} is damaged`)
    }
  }

  save (): void {
    fs.writeFileSync(pathOf(this.file), JSON.stringify({ done: this.done, undone: this.undone }))
  }

  /** With a new edit, and nothing to redo. */
  extended (edit: Edit): EditLog {
    return new EditLog(this.file, [...this.done, edit])
  }

  /** Takes back so many edits, and gives them, the last one first. */
  undo (count: number): Edit[] {
    return move('undo', this.done, this.undone, count)
  }

  redo (count: number): Edit[] {
    return move('redo', this.undone, this.done, count)
  }
}

const pathOf = (file: string): string => `${file}.edits`

function checkedEdit ({ name, text }: Edit): Edit {
  if (typeof name !== 'string' || (text !== null && readDefinition(text, '').name !== name)) throw new TypeError()
  return { name, text }
}

function move (word: string, from: Edit[], to: Edit[], count: number): Edit[] {
  if (from.length === 0) throw refused(`nothing to ${word}`)
  if (from.length < count) throw refused(`only ${from.length} edits to ${word}`)
  const moved = from.splice(from.length - count).reverse()
  to.push(...moved)
  return moved
}

function readDefinition (text: string, where: string): Pick<Definition, 'name' | 'expression'> {
  const parser = new Parser(text, where)
  const name = parser.plainName().text
  parser.expect('=')
  const expression = parser.expression()
  parser.expectKind('end')
  return { name, expression }
}

/** As `format` would write it. */
export function describe ({ name, text }: Edit): string {
  return text === null ? `remove ${name}` : formatDefinition(readDefinition(text, ''))
}

/** Changes a sheet that was just read; `prefix` stands before the places of its edits. */
export function applyEdits (sheet: Sheet, edits: Edit[], prefix: string): void {
  edits.forEach(({ name, text }, at) => {
    if (text === null) {
      sheet.remove(name)
    } else {
      const { expression } = readDefinition(text, `${prefix}edit ${at + 1}`)
      sheet.put(new Definition(sheet, name, expression, NO_LINE))
    }
  })
}

/** What an edit has instead of a line. */
const NO_LINE = 0

/** The edit that an argument of the form NAME=EXPRESSION asks for, which would get the number. */
export function readEdit (sheet: Sheet, text: string, number: number): Edit {
  try {
    const { name } = readDefinition(text, '')
    const entry = sheet.entries.get(name)
    if (entry !== undefined && !(entry instanceof Definition)) throw refused(`'${name}' is not a cell`)
    return { name, text }
  } catch (fault) {
    if (!(fault instanceof LineFault)) throw fault
    throw new Refusal([`edit ${number}:${fault.column}: ${fault.message}`])
  }
}
