"""Values of cells: numbers (int, see decimals), texts (str) and faults; columns of tables hold many."""

from collections import namedtuple

import decimals


class Place(namedtuple("Place", "line column")):
    """Where something stands in a file, both counted from 1."""

    def __str__(self):
        return "%d:%d" % self


Column = namedtuple("Column", "entries")


class Fault(namedtuple("Fault", "message place")):
    """An error as a value: why, and where it arose."""


class Failure(Exception):
    """Carries a fault up to whoever stores or catches it."""

    def __init__(self, message, place):
        super().__init__(message)
        self.fault = Fault(message, place)


def quote(text):
    return '"%s"' % text.replace('"', '""')


def plain(value):
    """A value as text, without quotes."""
    return value if isinstance(value, str) else decimals.render(value)


def show(value):
    """A value as it is printed, and as it could be written in a sheet."""
    if isinstance(value, Fault):
        return "!%s at %s" % value
    return quote(value) if isinstance(value, str) else decimals.render(value)


def kind(value):
    return "text" if isinstance(value, str) else "a number"
