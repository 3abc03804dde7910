"""Groups of things."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def group_by(things: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    """Things by key. The keys are sorted, and things keep their order."""
    groups: dict[str, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return dict(sorted(groups.items()))
