"""Prices."""

from stockroom.errors import require
from stockroom.money import percent_of

TAX = 19


def with_tax(cents: int) -> int:
    """A price with tax."""
    require(cents >= 0, "a price cannot be negative")
    return cents + percent_of(cents, TAX)
