"""What operators do to values, and what they ask of them."""

import decimals
from values import Failure, kind, plain

COMPARISONS = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def number(value, place):
    if isinstance(value, str):
        raise Failure("expected a number, got text", place)
    return value


def text(value, place):
    if not isinstance(value, str):
        raise Failure("expected text, got %s" % kind(value), place)
    return value


def bounded(value, place):
    if not decimals.fits(value):
        raise Failure("number too large", place)
    return value


def truth(flag):
    return decimals.ONE if flag else 0


def same(left, right):
    return type(left) is type(right) and left == right


def compare(op, left, right, place):
    if type(left) is not type(right):
        raise Failure("cannot compare a number with text", place)
    return truth(COMPARISONS[op](left, right))


def divide(left, right, place):
    if right == 0:
        raise Failure("division by zero", place)
    return decimals.divide(left, right)


def power(left, right, place):
    exponent = decimals.whole(right)
    if exponent is None or not 0 <= exponent <= 100:
        raise Failure("bad exponent %s" % decimals.render(right), place)
    return decimals.power(left, exponent)


ARITHMETIC = {
    "+": lambda left, right, place: left + right,
    "-": lambda left, right, place: left - right,
    "*": lambda left, right, place: decimals.multiply(left, right),
    "/": divide,
    "^": power,
}


def apply(op, left, right, place):
    if op == "&":
        return plain(left) + plain(right)
    if op == "=":
        return truth(same(left, right))
    if op == "<>":
        return truth(not same(left, right))
    if op in COMPARISONS:
        return compare(op, left, right, place)
    return bounded(ARITHMETIC[op](number(left, place), number(right, place), place), place)
