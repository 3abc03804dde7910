"""What shipping costs."""

from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.orders import Order
from shop.ship.rate import Rate
from shop.ship.s8 import parse_rate
from shop.text import load_records, normalise_name


def load_rates(path: Path) -> list[Rate]:
    """All rates of a file."""
    return load_records(path, parse_rate)


def shipping_cost(orders: list[Order], rates: list[Rate], zone: str) -> int:
    """The cheapest rate that covers all pieces, in cents."""
    name = normalise_name(zone)
    pieces = sum(order.count for order in orders)
    prices = [rate.price for rate in rates if rate.zone == name and rate.pieces >= pieces]
    if not prices:
        logger.warning("no rate for %d pieces to %s", pieces, name)
        raise ShopError("no rate for so many pieces", name)
    return min(prices)
