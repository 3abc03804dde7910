"""What shipping costs."""

from dataclasses import dataclass
from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.orders import Order
from shop.text import normalise_name, parse_count, split_fields


@dataclass(frozen=True)
class Rate:
    """The price of shipping up to a number of pieces to a zone."""

    zone: str
    pieces: int
    price: int


def read_price(text: str, where: str) -> int:
    """An amount of money such as `12.50`, in cents."""
    whole, _, cents = text.strip().partition(".")
    if not whole.isdigit() or (cents and not (cents.isdigit() and len(cents) == 2)):
        raise ShopError(f"{text!r} is not an amount", where)
    return int(whole) * 100 + int(cents or "0")


def parse_rate(line: str, where: str) -> Rate:
    """A rate from a line of a rate file."""
    zone, pieces, price = split_fields(line, 3, where)
    if not zone:
        raise ShopError("a rate needs a zone", where)
    return Rate(
        zone=normalise_name(zone),
        pieces=parse_count(pieces, where),
        price=read_price(price, where),
    )


def load_rates(path: Path) -> list[Rate]:
    """All rates of a file."""
    records = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        records.append(parse_rate(line, f"{path.name}:{number}"))
    logger.info("read %d records from %s", len(records), path.name)
    return records


def shipping_cost(orders: list[Order], rates: list[Rate], zone: str) -> int:
    """The cheapest rate that covers all pieces, in cents."""
    name = normalise_name(zone)
    pieces = sum(order.count for order in orders)
    prices = [rate.price for rate in rates if rate.zone == name and rate.pieces >= pieces]
    if not prices:
        logger.warning("no rate for %d pieces to %s", pieces, name)
        raise ShopError("no rate for so many pieces", name)
    return min(prices)
