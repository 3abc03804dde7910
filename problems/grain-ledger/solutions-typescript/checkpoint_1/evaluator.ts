// Computes the values of definitions.

import { LIBRARY, wrongCount } from './library'
import { type Definition, type Sheet } from './model'
import { type Binary, type Call, type Expression, type Unary } from './nodes'
import { applyBinary } from './operators'
import { asNumber, CellError, isTrue, type Place, type Single, truth, type Value } from './values'

export class Evaluator {
  private readonly values = new Map<Definition, Value>()

  constructor (private readonly sheet: Sheet) {}

  valueOf (definition: Definition): Value {
    let value = this.values.get(definition)
    if (value === undefined) {
      value = this.outcome(definition.expression)
      this.values.set(definition, value)
    }
    return value
  }

  private outcome (expression: Expression): Value {
    try {
      return this.evaluate(expression)
    } catch (error) {
      if (error instanceof CellError) return error
      throw error
    }
  }

  private evaluate (expression: Expression): Single {
    switch (expression.kind) {
      case 'number':
      case 'text':
        return expression.value
      case 'name':
        return this.lookUp(expression.name, expression.place)
      case 'unary':
        return this.unary(expression)
      case 'binary':
        return this.binary(expression)
      case 'call':
        return this.call(expression)
    }
  }

  private lookUp (name: string, place: Place): Single {
    const definition = this.sheet.definitions.get(name)
    if (definition === undefined) throw new CellError(`unknown name '${name}'`, place)
    const value = this.valueOf(definition)
    if (value instanceof CellError) throw value
    return value
  }

  private unary ({ operator, operand, place }: Unary): Single {
    const number = asNumber(this.evaluate(operand), place)
    return operator === 'not' ? truth(!isTrue(number)) : -number
  }

  private binary ({ operator, left, right, place }: Binary): Single {
    const first = this.evaluate(left)
    if (operator !== 'and' && operator !== 'or') return applyBinary(operator, first, this.evaluate(right), place)
    const decided = isTrue(asNumber(first, place))
    if (decided === (operator === 'or')) return truth(decided)
    return truth(isTrue(asNumber(this.evaluate(right), place)))
  }

  private call (call: Call): Single {
    const builtin = LIBRARY.get(call.name)
    if (builtin === undefined) throw new CellError(`unknown function '${call.name}'`, call.place)
    const wrong = wrongCount(call.name, builtin, call.arguments.length)
    if (wrong !== undefined) throw new CellError(wrong, call.place)
    return builtin.call(call.arguments.map(argument => () => this.evaluate(argument)), call.place)
  }
}
