// Expressions as trees.

import { type Place } from './values'

export type Expression =
  | { kind: 'number', value: bigint }
  | { kind: 'text', value: string }
  | Name
  | Unary
  | Binary
  | Call
  | Let

export interface Name { kind: 'name', name: string, place: Place }

export interface Unary { kind: 'unary', operator: string, operand: Expression, place: Place }

export interface Binary { kind: 'binary', operator: string, left: Expression, right: Expression, place: Place }

export interface Call { kind: 'call', name: string, arguments: Expression[], place: Place }

export interface Let { kind: 'let', name: string, value: Expression, body: Expression, place: Place }

/** How tightly operators bind. */
export const LEVEL = { let: 0, or: 1, and: 2, not: 3, compare: 4, join: 5, add: 6, multiply: 7, negate: 8, power: 9, operand: 10 }

export const LOWEST = LEVEL.or

export const BINARY = new Map<string, number>([
  ['or', LEVEL.or],
  ['and', LEVEL.and],
  ...['=', '<>', '<', '<=', '>', '>='].map((sign): [string, number] => [sign, LEVEL.compare]),
  ['&', LEVEL.join],
  ['+', LEVEL.add],
  ['-', LEVEL.add],
  ['*', LEVEL.multiply],
  ['/', LEVEL.multiply],
  ['^', LEVEL.power]
])

export const UNARY = new Map<string, number>([['not', LEVEL.not], ['-', LEVEL.negate]])
