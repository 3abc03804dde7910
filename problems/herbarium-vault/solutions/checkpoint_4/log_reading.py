"""Which lines of a log are sound."""
from typing import NamedTuple, Optional

from errors import Refused
from logformat import HEADER, Group, parse, unframe

FILE = "vault.log"


class Reading(NamedTuple):
    """What a log holds up to its first unit that is not sound.

    A unit is an entry, or a group with its entries.
    """

    changes: list
    sound_bytes: int
    excess_bytes: int
    damaged_line: Optional[int]
    is_torn: bool

    @property
    def last(self):
        return self.changes[-1].sequence if self.changes else 0

    def refuse_damage(self):
        if self.damaged_line is not None and not self.is_torn:
            raise Refused(f"{FILE} is damaged at line {self.damaged_line}")


class _Unsound(Exception):
    """The line at `place` is not what it should be, or missing."""

    def __init__(self, place):
        super().__init__(place)
        self.place = place


def read_lines(lines):
    if not lines or lines[0] != HEADER:
        raise Refused(f"{FILE} has no header")
    changes, sound, unsound = [], 1, None
    while sound < len(lines) and unsound is None:
        expected = changes[-1].sequence + 1 if changes else 1
        try:
            unit = _unit(lines, sound, expected)
        except _Unsound as fault:
            unsound = fault.place
        else:
            changes += unit
            sound += len(unit) + (len(unit) > 1)
    return Reading(
        changes,
        sum(map(len, lines[:sound])),
        sum(map(len, lines[sound:])),
        None if unsound is None else sound + 1,
        unsound is not None
        and not any(unframe(line) is not None for line in lines[unsound + 1 :]),
    )


def _unit(lines, place, expected):
    """The changes of the unit that starts at a place."""
    entry = _entry(lines, place, expected)
    if not isinstance(entry, Group):
        return [entry]
    changes = []
    for member in range(place + 1, place + 1 + entry.size):
        change = _entry(lines, member, expected)
        if isinstance(change, Group) or changes and change.key <= changes[-1].key:
            raise _Unsound(member)
        changes.append(change)
    return changes


def _entry(lines, place, expected):
    payload = unframe(lines[place]) if place < len(lines) else None
    entry = parse(payload) if payload is not None else None
    if entry is None or entry.sequence != expected:
        raise _Unsound(place)
    return entry
