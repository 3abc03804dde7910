"""Orders of customers."""

from dataclasses import dataclass
from pathlib import Path

from shop.errors import ShopError
from shop.log import logger
from shop.text import load_records, normalise_name, parse_amount, parse_count, split_fields


@dataclass(frozen=True)
class Order:
    """Some pieces of one article."""

    customer: str
    article: str
    count: int
    price: int


def parse_order(line: str, where: str) -> Order:
    """An order from a line of an order file."""
    customer, article, count, price = split_fields(line, 4, where)
    if not customer:
        raise ShopError("an order needs a customer", where)
    return Order(
        customer=normalise_name(customer),
        article=normalise_name(article),
        count=parse_count(count, where),
        price=parse_amount(price, where),
    )


def load_orders(path: Path) -> list[Order]:
    """All orders of a file."""
    return load_records(path, parse_order)


def order_total(order: Order) -> int:
    """What an order costs, in cents."""
    return order.count * order.price


def find_order(orders: list[Order], customer: str) -> Order:
    """The first order of a customer."""
    name = normalise_name(customer)
    for order in orders:
        if order.customer == name:
            return order
    logger.warning("no order of %s", name)
    raise ShopError("no such order", name)
