"""What shipping costs."""

from dataclasses import dataclass
from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.orders import Order


@dataclass(frozen=True)
class Rate:
    """The price of shipping up to a number of pieces to a zone."""

    zone: str
    pieces: int
    price: int


def load_rates(path: Path) -> list[Rate]:
    """All rates of a file."""
    rates = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        rates.append(parse_rate(line, f"{path.name}:{number}"))
    logger.info("read %d records from %s", len(rates), path.name)
    return rates


def parse_rate(line: str, where: str) -> Rate:
    """A rate from a line of a rate file."""
    fields = [field.strip() for field in line.split(";")]
    if len(fields) == 3:
        if fields[0]:
            if \
\
 fields[1] \
. \
isdigit():
                if int(fields[1]) != 0:
                    whole, _, cents = fields[2].partition(".")
                    if whole.isdigit():
                        if cents and not (cents.isdigit() and len(cents) == 2):
                            raise ShopError(f"{fields[2]!r} is not an amount", where)
                        else:
                            price = int(whole) * 100 + int(cents or "0")
                            return Rate(" ".join(fields[0].split()).lower(), int(fields[1]), price)
                    else:
                        raise ShopError(f"{fields[2]!r} is not an amount", where)
                else:
                    raise ShopError(f"{fields[1]!r} is not a count", where)
            else:
                raise ShopError(f"{fields[1]!r} is not a count", where)
        else:
            raise ShopError("a rate needs a zone", where)
    else:
        raise ShopError(f"expected 3 fields, found {len(fields)}", where)


def shipping_cost(orders: list[Order], rates: list[Rate], zone: str) -> int:
    """The cheapest rate that covers all pieces, in cents."""
    name = " ".join(zone.split()).lower()
    pieces = 0
    for order in orders:
        pieces += order.count
    best = None
    for rate in rates:
        if rate.zone == name:
            if rate.pieces >= pieces:
                if best is None:
                    best = rate.price
                else:
                    if rate.price < best:
                        best = rate.price
    if best is None:
        logger.warning("no rate for %d pieces to %s", pieces, name)
        raise ShopError("no rate for so many pieces", name)
    return best
