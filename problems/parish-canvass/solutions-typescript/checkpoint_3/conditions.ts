// Conditions, under which questions are asked.

import { badInput } from './errors'
import { isName, isObject, isWhole, type Reader, type Values } from './shapes'

const MAX_LEVELS = 5

export type Condition = Values

interface Test {
  isRight: (operand: any) => boolean
  holds: (answer: any, operand: any) => boolean
}

function isValue (value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isWhole(value)
}

/** Tests of an answer that is given. */
const TESTS = new Map<string, Test>([
  ['is', { isRight: isValue, holds: (answer, value) => answer === value }],
  ['in', {
    isRight: values => isList(values, 20) && values.every(isValue),
    holds: (answer, values) => values.includes(answer)
  }],
  ['over', { isRight: isWhole, holds: (answer, limit) => isWhole(answer) && answer > limit }],
  ['under', { isRight: isWhole, holds: (answer, limit) => isWhole(answer) && answer < limit }]
])

function isList (value: unknown, most: number): value is unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= most
}

export const condition: Reader = (value, at) => {
  if (!isCondition(value, MAX_LEVELS)) throw badInput(at)
  return value
}

function isCondition (value: unknown, levels: number): boolean {
  if (!isObject(value) || levels === 0) return false
  const parts = partsOf(value)
  if (parts === undefined) return isTest(value)
  return Object.keys(value).length === 1 && parts.every(part => isCondition(part, levels - 1))
}

/** The conditions of which a condition consists, or nothing if it is a test. */
function partsOf (value: Condition): unknown[] | undefined {
  if (Object.hasOwn(value, 'not')) return [value.not]
  const list = ['all', 'any'].find(key => Object.hasOwn(value, key))
  if (list === undefined) return undefined
  return isList(value[list], 10) ? value[list] : [undefined]
}

function isTest ({ question, ...operands }: Condition): boolean {
  const [[key, operand] = ['', undefined], ...others] = Object.entries(operands)
  if (!isName(question) || others.length > 0) return false
  return key === 'given' ? typeof operand === 'boolean' : TESTS.get(key)?.isRight(operand) === true
}

/** The names of all questions in a condition, if there is one. */
export function namesIn (value?: Condition): string[] {
  if (value === undefined) return []
  if (value.question !== undefined) return [value.question]
  return (partsOf(value) ?? []).flatMap(part => namesIn(part as Condition))
}

/** Whether a condition holds, if there is one. Answers are known by the names of questions. */
export function holds (value: Condition | undefined, known: Map<string, unknown>): boolean {
  if (value === undefined) return true
  if (value.not !== undefined) return !holds(value.not, known)
  if (value.all !== undefined) return value.all.every((part: Condition) => holds(part, known))
  if (value.any !== undefined) return value.any.some((part: Condition) => holds(part, known))
  return testHolds(value, known)
}

function testHolds ({ question, ...operands }: Condition, known: Map<string, unknown>): boolean {
  const [[key, operand]] = Object.entries(operands)
  if (key === 'given') return known.has(question) === operand
  return known.has(question) && TESTS.get(key)!.holds(known.get(question), operand)
}
