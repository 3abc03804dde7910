"""Invoices as text."""

from shop.errors import ShopError
from shop.log import logger
from shop.orders import Order, order_total
from shop.text import format_amount


def render_row(label: str, cents: int) -> str:
    """A row with a label and an amount."""
    return f"{label:<24}{format_amount(cents):>10}"


def discount_of(total: int) -> int:
    """The discount on a total, in cents."""
    if total < 0:
        raise ShopError("a total is never negative", str(total))
    return total // 20 if total >= 10_000 else 0


def render_invoice(orders: list[Order]) -> str:
    """An invoice over all orders of one customer."""
    if not orders:
        raise ShopError("an invoice needs orders", "invoice")
    rows = [render_row(order.article, order_total(order)) for order in orders]
    total = sum(order_total(order) for order in orders)
    discount = discount_of(total)
    if discount:
        rows.append(render_row("discount", discount))
    rows.append(render_row("total", total - discount))
    logger.info("invoice of %s over %d orders", orders[0].customer, len(orders))
    return "\n".join(rows)
