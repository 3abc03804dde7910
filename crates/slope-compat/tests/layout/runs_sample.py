"""Module text
over two lines."""
import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import a
    import b

if TYPE_CHECKING:
    import c
    import d


def first(items):
    """Says what it does."""
    total = 0
    for item in items:  # each one
        total += item
    return total


def second(rows):
    # No text here.
    total = 0
    for row in rows:
        total += row
    return total


def third(rows):
    total = 0
    for row in rows:
        total -= row
    return total


def short(a):
    """Two source lines only."""

    return a


def brief(a):
    """Two source lines only."""

    return a


def quoted(log):
    log("one", 1)
    log("two", 2)


def asked(log):
    log("three", 3)
    log("four", 4)


values = [
    # a comment between brackets counts
    1,

    2,
]
text = """
# not a comment

end"""
'a statement of its own'
b"bytes"
f"{values}"
"shares"; short(1)
