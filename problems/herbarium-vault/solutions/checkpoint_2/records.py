"""Records in memory, in the order of their keys."""
from bisect import bisect_left, insort
from typing import NamedTuple, Optional


class Selection(NamedTuple):
    """Which keys are meant: from `low` on, before `high`, starting with `prefix`."""

    prefix: str = ""
    low: str = ""
    high: Optional[str] = None


class SortedKeys:
    """Keys in the order of their bytes; all are ASCII."""

    def __init__(self, keys=()):
        self._keys = sorted(keys)

    def add(self, key):
        insort(self._keys, key)

    def remove(self, key):
        del self._keys[bisect_left(self._keys, key)]

    def select(self, selection):
        first = bisect_left(self._keys, max(selection.low, selection.prefix))
        for place in range(first, len(self._keys)):
            key = self._keys[place]
            if selection.high is not None and key >= selection.high:
                return
            if not key.startswith(selection.prefix):
                return
            yield key
