"""Reading lists of items."""

from stockroom.errors import require
from stockroom.items import Item
from stockroom.money import parse_cents
from stockroom.rows import rows_of


def read_items(text: str) -> list[Item]:
    """The items of rows with number, name and price."""
    items = []
    for cells in rows_of(text):
        require(len(cells) == 3, f"a row has three cells, not {len(cells)}")
        items.append(Item(cells[0], cells[1], parse_cents(cells[2])))
    return items
