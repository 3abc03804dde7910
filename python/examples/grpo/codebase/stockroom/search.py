"""Searching items."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.items import Item


def cheaper_than(items: Iterable[Item], cents: int) -> list[Item]:
    """The items below a price, the cheapest first."""
    require(cents > 0, "a limit is at least one cent")
    return sorted((item for item in items if item.price < cents), key=lambda item: item.price)
