from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """The price of shipping up to a number of pieces to a zone."""

    zone: str
    pieces: int
    price: int
