"""Warnings about the stock."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.items import Item


def sold_out(items: Iterable[Item], zone: str) -> list[Item]:
    """The items of a zone of which there are none."""
    require(bool(zone), "a zone has a name")
    return [item for item in items if item.zone == zone and item.count == 0]
