"""Packs of several pieces."""

from stockroom.errors import require


def unit_price(cents: int, pieces: int) -> int:
    """The price of one piece of a pack, rounded up to whole cents."""
    require(pieces > 0, "a pack has at least one piece")
    whole, rest = divmod(cents, pieces)
    if rest:
        whole += 1
    return whole
