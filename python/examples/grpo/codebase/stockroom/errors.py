"""Errors that users see."""


class StockError(Exception):
    """A request that cannot be met."""


def require(condition: bool, message: str) -> None:
    """Raises StockError with the message unless the condition holds."""
    if not condition:
        raise StockError(message)
