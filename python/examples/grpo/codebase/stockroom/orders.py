"""Orders of customers."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.lines import Line, line_total


def order_total(lines: Iterable[Line], shipping: int) -> int:
    """The price of an order in cents, with shipping."""
    require(shipping >= 0, "shipping cannot be negative")
    return shipping + sum(line_total(line) for line in lines)
