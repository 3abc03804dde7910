"""The functions that every sheet knows. Each gets its values and the place of the call."""

import re
from collections import namedtuple

import decimals
from values import Failure, kind, plain

Function = namedtuple("Function", "least most run")

MAX_ARGUMENTS = 10 ** 6


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


def _extreme(choose):
    return lambda args, place: choose(number(value, place) for value in args)


FUNCTIONS = {
    "abs": Function(1, 1, lambda args, place: abs(number(args[0], place))),
    "error": Function(1, 1, _error),
    "floor": Function(1, 1, lambda args, place: bounded(decimals.floor(number(args[0], place)), place)),
    "len": Function(1, 1, lambda args, place: len(text(args[0], place)) * decimals.ONE),
    "max": Function(1, MAX_ARGUMENTS, _extreme(max)),
    "min": Function(1, MAX_ARGUMENTS, _extreme(min)),
    "mod": Function(2, 2, _mod),
    "number": Function(1, 1, _number),
    "round": Function(2, 2, _round),
    "text": Function(2, 2, _text),
}


def check_count(name, least, most, count, place):
    if least <= count <= most:
        return
    wanted = "%s%d argument%s" % ("at least " if most == MAX_ARGUMENTS else "", least, "" if least == 1 else "s")
    raise Failure("%s takes %s, got %d" % (name, wanted, count), place)
