"""What shipping costs."""

from dataclasses import dataclass
from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.orders import Order
from shop.text import load_records, normalise_name


@dataclass(frozen=True)
class Rate:
    """The price of shipping up to a number of pieces to a zone."""

    zone: str
    pieces: int
    price: int


def parse_rate(line: str, where: str) -> Rate:
    """A rate from a line of a rate file."""
    return [
        Rate(" ".join(f[0].split()).lower(), int(f[1]), p)
        for f in [[x.strip() for x in line.split(";")]]
        for p in [
            sum(int(x) * 100 if i == 0 else int(x) for i, x in enumerate(c))
            for a in (f[2:3] if len(f) == 3 and f[0] and f[1].isdigit() and int(f[1]) else [])
            for c in [a.split(".")]
            if all(x.isdigit() for x in c) and (len(c) == 1 or (len(c) == 2 and len(c[1]) == 2))
        ]
        or [(_ for _ in ()).throw(ShopError("a rate needs a zone", where))]
    ][0]


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
