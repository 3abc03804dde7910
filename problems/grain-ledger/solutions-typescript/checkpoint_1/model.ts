// What a file describes.

import { type Expression } from './nodes'

export interface Definition {
  name: string
  expression: Expression
  /** In the file, from 1. */
  line: number
}

export class Sheet {
  /** By their names, in the order of the file. */
  readonly definitions = new Map<string, Definition>()
}
