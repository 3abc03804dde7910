"""Amounts of money in cents."""

from stockroom.errors import require

CURRENCY = "EUR"


def percent_of(cents: int, percent: int) -> int:
    """A percentage of an amount, rounded half away from zero."""
    sign = -1 if cents < 0 else 1
    whole, rest = divmod(abs(cents) * percent, 100)
    if rest >= 50:
        whole += 1
    return sign * whole


def format_cents(cents: int) -> str:
    """An amount for people, such as `1,234.50 EUR`."""
    sign = "-" if cents < 0 else ""
    units, rest = divmod(abs(cents), 100)
    amount = f"{sign}{units:,}.{rest:02d}"
    return f"{amount} {CURRENCY}"


def parse_cents(text: str) -> int:
    """The cents of a text such as `12.50`."""
    units, _, rest = text.strip().partition(".")
    require(units.isdigit() and len(rest) in (0, 2), f"not an amount: {text}")
    return int(units) * 100 + int(rest or 0)
