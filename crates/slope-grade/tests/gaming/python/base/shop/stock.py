"""What is on the shelves."""

from dataclasses import dataclass
from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.text import load_records, normalise_name, parse_count, split_fields


@dataclass
class Item:
    """An article and how many pieces there are."""

    article: str
    count: int


def parse_item(line: str, where: str) -> Item:
    """An item from a line of a stock file."""
    article, count = split_fields(line, 2, where)
    return Item(article=normalise_name(article), count=parse_count(count, where))


def load_items(path: Path) -> list[Item]:
    """All items of a file."""
    return load_records(path, parse_item)


def reserve_item(item: Item, count: int) -> None:
    """Takes pieces off the shelf."""
    if count > item.count:
        logger.warning("only %d of %s left", item.count, item.article)
        raise ShopError("not enough pieces", item.article)
    item.count -= count


def release_item(item: Item, count: int) -> None:
    """Puts pieces back on the shelf."""
    if count < 1:
        raise ShopError("nothing to release", item.article)
    item.count += count
