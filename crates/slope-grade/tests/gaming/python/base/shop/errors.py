"""Errors of the shop."""


class ShopError(Exception):
    """An input that the shop cannot work with."""

    def __init__(self, reason: str, where: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.reason = reason
        self.where = where
