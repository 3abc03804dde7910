"""Which lots `find` and `report` choose."""

import operator
import re

from values import parse_date, parse_quantity, parse_word

OPTIONS = ("--name", "--place", "--before", "--min", "--max")


def name_test(pattern):
    wildcards = {"*": ".*", "?": "."}
    parts = [wildcards.get(char) or re.escape(char) for char in pattern.strip().lower()]
    expression = re.compile("".join(parts), re.DOTALL)
    return lambda lot: expression.fullmatch(lot.name)


def place_test(text):
    place = parse_word(text, "place")
    return lambda lot: lot.place == place


def before_test(text):
    date = parse_date(text)
    return lambda lot: lot.best_before is not None and lot.best_before < date


def undated_test(_):
    return lambda lot: lot.best_before is None


def amount_test(compare):
    def make(text):
        limit, unit = parse_quantity(text)
        return lambda lot: lot.unit == unit and compare(lot.amount, limit)

    return make


# In the order in which wrong options are told.
TESTS = {
    "name": name_test,
    "place": place_test,
    "before": before_test,
    "undated": undated_test,
    "min": amount_test(operator.ge),
    "max": amount_test(operator.le),
}


def add_options(parser):
    for option in OPTIONS:
        parser.add_argument(option)
    parser.add_argument("--undated", action="store_true", default=None)


def choose(lots, args):
    """The lots that pass every filter that was given."""
    given = [(make, getattr(args, option)) for option, make in TESTS.items()]
    tests = [make(value) for make, value in given if value is not None]
    return [lot for lot in lots if all(test(lot) for test in tests)]
