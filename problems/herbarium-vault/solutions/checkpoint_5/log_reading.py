"""Which lines of a log are sound."""
from typing import NamedTuple, Optional

from errors import Refused
from logformat import HEADER, Base, Change, Group, Note, parse, unframe

FILE = "vault.log"


class Reading(NamedTuple):
    """What a log holds up to its first unit that is not sound.

    A unit is an entry, or a group with its entries.
    """

    entries: list
    sound_bytes: int
    excess_bytes: int
    damaged_line: Optional[int]
    is_torn: bool

    @property
    def base(self):
        first = self.entries[0] if self.entries else None
        return first.sequence if isinstance(first, Base) else 0

    @property
    def last(self):
        return max(self.base, self.entries[-1].sequence) if self.entries else 0

    @property
    def changes(self):
        return [entry for entry in self.entries if isinstance(entry, Change)]

    @property
    def notes(self):
        return [entry for entry in self.entries if isinstance(entry, Note)]

    def refuse_damage(self):
        if self.damaged_line is not None and not self.is_torn:
            raise Refused(f"{FILE} is damaged at line {self.damaged_line}")


class _Numbers:
    """Which sequence number may come next."""

    def __init__(self):
        self._base = self._last = 0

    def fits(self, sequence):
        following = max(self._last, self._base) + 1
        return sequence == following or self._last < sequence <= self._base

    def take(self, sequence):
        self._last = sequence

    def start_at(self, base):
        self._base = base


class _Unsound(Exception):
    """The line at `place` is not what it should be, or missing."""

    def __init__(self, place):
        super().__init__(place)
        self.place = place


def read_lines(lines):
    if not lines or lines[0] != HEADER:
        raise Refused(f"{FILE} has no header")
    entries, sound, unsound = [], 1, None
    numbers = _Numbers()
    while sound < len(lines) and unsound is None:
        try:
            unit = _unit(lines, sound, numbers)
        except _Unsound as fault:
            unsound = fault.place
        else:
            entries += unit
            sound += len(unit) + (len(unit) > 1)
    return Reading(
        entries,
        sum(map(len, lines[:sound])),
        sum(map(len, lines[sound:])),
        None if unsound is None else sound + 1,
        unsound is not None
        and not any(unframe(line) is not None for line in lines[unsound + 1 :]),
    )


def _unit(lines, place, numbers):
    """The entries of the unit that starts at a place, without the group's own."""
    entry = _entry(lines, place)
    if isinstance(entry, Base):
        if place != 1:
            raise _Unsound(place)
        numbers.start_at(entry.sequence)
        return [entry]
    if not numbers.fits(entry.sequence):
        raise _Unsound(place)
    unit = _members(lines, place, entry) if isinstance(entry, Group) else [entry]
    numbers.take(entry.sequence)
    return unit


def _members(lines, place, group):
    changes = []
    for member in range(place + 1, place + 1 + group.size):
        change = _entry(lines, member)
        is_wrong = not isinstance(change, Change) or change.sequence != group.sequence
        if is_wrong or changes and change.key <= changes[-1].key:
            raise _Unsound(member)
        changes.append(change)
    return changes


def _entry(lines, place):
    payload = unframe(lines[place]) if place < len(lines) else None
    entry = parse(payload) if payload is not None else None
    if entry is None:
        raise _Unsound(place)
    return entry
