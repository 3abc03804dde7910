"""Expressions over the fields of a record: each is a function from a record to a value."""
import operator
from fractions import Fraction

from values import MOST_DECIMALS, is_number, rounded, shown

SUMS = {"+": operator.add, "-": operator.sub}
PRODUCTS = {"*": operator.mul, "/": operator.truediv}


def read_expression(words):
    """Texts are joined last of all."""
    parts = [read_operators(words, SUMS, read_product)]
    while words.took("&"):
        parts.append(read_operators(words, SUMS, read_product))
    return parts[0] if len(parts) == 1 else lambda record: joined(part(record) for part in parts)


def read_product(words):
    return read_operators(words, PRODUCTS, read_signed)


def read_operators(words, operators, read_operand):
    """Operators of one rank, from left to right."""
    result = read_operand(words)
    while words.next() in operators:
        result = calculation(operators[words.take()], result, read_operand(words))
    return result


def read_signed(words):
    if words.took("-"):
        return calculation(operator.sub, lambda record: Fraction(0), read_signed(words))
    return read_atom(words)


def read_atom(words):
    if words.next().startswith('"'):
        return constant(words.text())
    if words.next()[:1].isdigit():
        return constant(words.number())
    if words.took("("):
        inner = read_expression(words)
        words.one_of(")")
        return inner
    name = words.field()
    if name in FUNCTIONS and words.took("("):
        return FUNCTIONS[name](words)
    return lambda record: record.get(name)


def read_first(words):
    choices = [read_expression(words)]
    while words.one_of((",", ")")) == ",":
        choices.append(read_expression(words))
    return lambda record: first_known(choice(record) for choice in choices)


def read_round(words):
    inner = read_expression(words)
    words.one_of(",")
    decimals = words.whole("decimals", 0, MOST_DECIMALS)
    words.one_of(")")
    unit = Fraction(1, 10 ** decimals)
    return on_numbers(lambda number: rounded(number, decimals) * unit, inner)


FUNCTIONS = {"first": read_first, "round": read_round}


def constant(value):
    return lambda record: value


def calculation(operation, left, right):
    return on_numbers(operation, left, right)


def on_numbers(operation, *operands):
    """Missing where an operand is no number, or the result is none."""

    def calculated(record):
        values = [operand(record) for operand in operands]
        if not all(map(is_number, values)):
            return None
        try:
            return operation(*values)
        except ZeroDivisionError:
            return None

    return calculated


def joined(values):
    values = list(values)
    return None if None in values else "".join(map(shown, values))


def first_known(values):
    return next((value for value in values if value is not None), None)
