"""Items of the stockroom."""

from collections.abc import Iterable
from dataclasses import dataclass

from stockroom.errors import require


@dataclass
class Item:
    """Something in the stockroom. `price` is in cents, for one piece."""

    sku: str
    name: str
    price: int
    count: int = 0
    zone: str = "main"


def find_item(items: Iterable[Item], sku: str) -> Item:
    """The item with an article number, in any case of letters."""
    wanted = sku.strip().upper()
    found = [item for item in items if item.sku.upper() == wanted]
    require(len(found) == 1, f"no single item with the number {wanted}")
    return found[0]


def take(item: Item, count: int) -> None:
    """Takes pieces of an item out of the stock."""
    require(0 < count <= item.count, f"cannot take {count} of {item.count}")
    item.count -= count
