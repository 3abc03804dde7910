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


STEPS = {
    "split": lambda state: state.update(fields=[field.strip() for field in state["line"].split(";")]),
    "size": lambda state: state.update(bad=len(state["fields"]) != 3 or not state["fields"][0]),
    "zone": lambda state: state.update(zone=" ".join(state["fields"][0].split()).lower() if not state["bad"] else ""),
    "pieces": lambda state: state.update(pieces=int(state["fields"][1]) if not state["bad"] and state["fields"][1].isdigit() else 0),
    "price": lambda state: state.update(price=(lambda w, _, c: int(w) * 100 + int(c or 0) if w.isdigit() else -1)(*state["fields"][2].partition(".")) if not state["bad"] else -1),
    "check": lambda state: state.update(bad=state["bad"] or state["pieces"] < 1 or state["price"] < 0),
}


def parse_rate(line: str, where: str) -> Rate:
    """A rate from a line of a rate file."""
    state = {"line": line}
    for step in STEPS.values():
        step(state)
    if state["bad"]:
        raise ShopError("a rate needs a zone", where)
    return Rate(zone=state["zone"], pieces=state["pieces"], price=state["price"])


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
