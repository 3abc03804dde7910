// Writes lines in tidy form.

import { printDecimal } from './decimals'
import { type Content, type Line, type SheetFunction } from './model'
import { BINARY, type Binary, type Expression, LEVEL, UNARY } from './nodes'
import { quoted } from './values'

export function formatLine ({ content, comment, inTable }: Line): string {
  const parts = [content === undefined ? '' : formatContent(content), comment ?? ''].filter(part => part !== '')
  return (inTable && parts.length > 0 ? '  ' : '') + parts.join('  ')
}

function formatContent (content: Content): string {
  switch (content.kind) {
    case 'definition':
      return formatDefinition(content.definition)
    case 'function':
      return formatFunction(content.function)
    case 'table':
      return `table ${content.table.name}`
    case 'columns':
      return content.columns.map(formatDefinition).join(' | ')
    case 'row':
      return content.entries.map(entry => formatExpression(entry)).join(' | ')
    case 'end':
      return 'end'
  }
}

/** A definition or a column, which may have no expression. */
const formatDefinition = ({ name, expression }: { name: string, expression?: Expression }): string => (
  expression === undefined ? name : `${name} = ${formatExpression(expression)}`
)

const formatFunction = ({ name, parameters, body }: SheetFunction): string => (
  `def ${name}(${parameters.join(', ')}) = ${formatExpression(body)}`
)

/** In parentheses if it binds less tightly than `lowest`. */
export function formatExpression (expression: Expression, lowest = LEVEL.let): string {
  const text = withoutParentheses(expression)
  return levelOf(expression) < lowest ? `(${text})` : text
}

function levelOf (expression: Expression): number {
  switch (expression.kind) {
    case 'binary':
      return BINARY.get(expression.operator)!
    case 'unary':
      return UNARY.get(expression.operator)!
    case 'let':
      return LEVEL.let
    default:
      return LEVEL.operand
  }
}

function withoutParentheses (expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return printDecimal(expression.value)
    case 'text':
      return quoted(expression.value)
    case 'name':
      return expression.name
    case 'unary':
      return expression.operator + (expression.operator === 'not' ? ' ' : '') +
        formatExpression(expression.operand, levelOf(expression))
    case 'binary':
      return formatBinary(expression)
    case 'let':
      return `let ${expression.name} = ${formatExpression(expression.value)} in ${formatExpression(expression.body)}`
    case 'call':
      return `${expression.name}(${expression.arguments.map(argument => formatExpression(argument)).join(', ')})`
  }
}

function formatBinary (expression: Binary): string {
  const [left, right] = sideLevels(levelOf(expression))
  return `${formatExpression(expression.left, left)} ${expression.operator} ${formatExpression(expression.right, right)}`
}

/** How tightly both sides of an operator have to bind to stand without parentheses. */
function sideLevels (level: number): [number, number] {
  if (level === LEVEL.compare) return [level + 1, level + 1]
  if (level === LEVEL.power) return [level + 1, LEVEL.negate]
  return [level, level + 1]
}
