"""What suppliers offer."""

from dataclasses import dataclass


@dataclass
class Offer:
    """A pack that a supplier sells. `price` is that of the pack in cents."""

    supplier: str
    sku: str
    price: int
    pieces: int
