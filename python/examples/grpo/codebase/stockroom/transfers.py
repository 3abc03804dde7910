"""Moving stock."""

from stockroom.errors import require
from stockroom.items import Item, take


def clear(item: Item) -> int:
    """Takes all pieces of an item, and returns how many there were."""
    require(item.count > 0, f"nothing is left of {item.sku}")
    count = item.count
    take(item, count)
    return count
