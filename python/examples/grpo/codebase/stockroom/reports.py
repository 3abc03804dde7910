"""Reports for people."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.items import Item
from stockroom.money import format_cents


def price_lines(items: Iterable[Item], width: int) -> list[str]:
    """A line with name and price for each item."""
    require(width > 0, "a report has a width of at least 1")
    return [f"{item.name[:width]}: {format_cents(item.price)}" for item in items]
