"""Lines of orders."""

from dataclasses import dataclass

from stockroom.money import percent_of


@dataclass
class Line:
    """So many pieces of an item. `discount` is a percentage."""

    sku: str
    price: int
    count: int
    discount: int = 0


def line_total(line: Line) -> int:
    """The price of a line in cents, after its discount."""
    full = line.price * line.count
    reduction = percent_of(full, line.discount)
    return max(full - reduction, 0)
