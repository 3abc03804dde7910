"""The functions that every sheet knows. Each gets its values and the place of the call."""

import re
from collections import namedtuple

import decimals
from operators import bounded, number, same, text
from values import Column, Failure, plain, show

# whole_columns: an argument may be a column
Function = namedtuple("Function", "least most run whole_columns", defaults=(False,))

MAX_ARGUMENTS = 10 ** 6


def places(value, place):
    count = decimals.whole(number(value, place))
    if count is None or not 0 <= count <= decimals.PLACES:
        raise Failure("bad number of places %s" % decimals.render(value), place)
    return count


def _round(args, place):
    value = number(args[0], place)
    return bounded(decimals.round_away(value, places(args[1], place)), place)


def _text(args, place):
    value = number(args[0], place)
    return decimals.fixed(value, places(args[1], place))


def _mod(args, place):
    left, right = number(args[0], place), number(args[1], place)
    if right == 0:
        raise Failure("division by zero", place)
    return left % right


def _number(args, place):
    source = text(args[0], place)
    found = re.match(r"(-?)([0-9]+(?:\.[0-9]+)?)\Z", source)
    value = decimals.parse(found.group(2)) if found else None
    if value is None:
        raise Failure("not a number '%s'" % source, place)
    return -value if found.group(1) else value


def _error(args, place):
    raise Failure(plain(args[0]), place)


def _flat(args):
    for arg in args:
        yield from arg.entries if isinstance(arg, Column) else (arg,)


def _numbers(args, place):
    return [number(value, place) for value in _flat(args)]


def _some_numbers(args, place):
    found = _numbers(args, place)
    if not found:
        raise Failure("no values", place)
    return found


def _count(args, place):
    return len(list(_flat(args))) * decimals.ONE


def _sum(args, place):
    return bounded(sum(_numbers(args, place)), place)


def _average(args, place):
    found = _some_numbers(args, place)
    return bounded(decimals.divide(sum(found), len(found) * decimals.ONE), place)


def _lookup(args, place):
    key, keys, results = args
    if isinstance(key, Column):
        raise Failure("expected a single value, got a column", place)
    if not (isinstance(keys, Column) and isinstance(results, Column)):
        raise Failure("expected a column, got a single value", place)
    if len(keys.entries) != len(results.entries):
        raise Failure("columns differ in length", place)
    for candidate, result in zip(keys.entries, results.entries):
        if same(candidate, key):
            return result
    raise Failure("no row with %s" % show(key), place)


FUNCTIONS = {
    "abs": Function(1, 1, lambda args, place: abs(number(args[0], place))),
    "avg": Function(1, MAX_ARGUMENTS, _average, True),
    "count": Function(1, MAX_ARGUMENTS, _count, True),
    "error": Function(1, 1, _error),
    "floor": Function(1, 1, lambda args, place: bounded(decimals.floor(number(args[0], place)), place)),
    "len": Function(1, 1, lambda args, place: len(text(args[0], place)) * decimals.ONE),
    "lookup": Function(3, 3, _lookup, True),
    "max": Function(1, MAX_ARGUMENTS, lambda args, place: max(_some_numbers(args, place)), True),
    "min": Function(1, MAX_ARGUMENTS, lambda args, place: min(_some_numbers(args, place)), True),
    "mod": Function(2, 2, _mod),
    "number": Function(1, 1, _number),
    "round": Function(2, 2, _round),
    "sum": Function(1, MAX_ARGUMENTS, _sum, True),
    "text": Function(2, 2, _text),
}


LAZY = {"if": 3, "iferror": 2}
BUILT_IN = set(FUNCTIONS) | set(LAZY)


def check_count(name, least, most, count, place):
    if least <= count <= most:
        return
    wanted = "%s%d argument%s" % ("at least " if most == MAX_ARGUMENTS else "", least, "" if least == 1 else "s")
    raise Failure("%s takes %s, got %d" % (name, wanted, count), place)
