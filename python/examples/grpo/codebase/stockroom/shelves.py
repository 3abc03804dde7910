"""Shelves of the stockroom."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.items import Item


def shelf_of(item: Item, shelves: int) -> int:
    """The shelf of an item, from 1."""
    require(shelves > 0, "there is at least one shelf")
    return sum(map(ord, item.sku)) % shelves + 1


def zones_of(items: Iterable[Item]) -> list[str]:
    """The zones that items are in."""
    return sorted({item.zone for item in items})
