"""The changes that were made, each with the state on its other side."""

from typing import NamedTuple

from stock import Stock
from values import PantryError


class Change(NamedTuple):
    description: str
    state: dict


class History:
    """The present stock, the changes that led to it, and those that were undone."""

    def __init__(self, state=None, done=(), undone=()):
        self.stock = Stock.from_state(state or {})
        self.done = [Change(*change) for change in done]
        self.undone = [Change(*change) for change in undone]

    def record(self, description, before):
        self.done.append(Change(description, before))
        self.undone = []

    def undo(self, count):
        return self._replay("undo", count, self.done, self.undone)

    def redo(self, count):
        return self._replay("redo", count, self.undone, self.done)

    def _replay(self, verb, count, source, target):
        if not source:
            raise PantryError(f"nothing to {verb}")
        if len(source) < count:
            raise PantryError(f"only {len(source)} changes to {verb}")
        return [self._step(source, target) for _ in range(count)]

    def _step(self, source, target):
        description, state = source.pop()
        target.append(Change(description, self.stock.state()))
        self.stock = Stock.from_state(state)
        return description
