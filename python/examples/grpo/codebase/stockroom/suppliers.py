"""Offers of suppliers."""

from collections.abc import Iterable

from stockroom.errors import require
from stockroom.offers import Offer


def offers_of(offers: Iterable[Offer], supplier: str) -> list[Offer]:
    """The offers of a supplier."""
    require(bool(supplier), "a supplier has a name")
    return [offer for offer in offers if offer.supplier == supplier]
