"""All versions of all records."""
from bisect import bisect_right

from records import Selection, SortedKeys


class Line:
    """The changes of one key, oldest first."""

    def __init__(self):
        self.changes = []
        self._numbers = []

    def add(self, change):
        self.changes.append(change)
        self._numbers.append(change.sequence)

    def value_at(self, sequence):
        place = bisect_right(self._numbers, sequence)
        return self.changes[place - 1].value if place else None


NO_CHANGES = Line()


class Versions:
    """The line of each key; the keys in order."""

    def __init__(self, changes=()):
        self.last = 0
        self._lines = {}
        for change in changes:
            self._lines.setdefault(change.key, Line()).add(change)
            self.last = change.sequence
        self._keys = SortedKeys(self._lines)

    def add(self, change):
        if change.key not in self._lines:
            self._lines[change.key] = Line()
            self._keys.add(change.key)
        self._lines[change.key].add(change)
        self.last = change.sequence

    def line(self, key):
        return self._lines.get(key, NO_CHANGES)

    def at(self, sequence):
        return Snapshot(self, sequence)

    def keys(self, selection):
        """All chosen keys that ever had a record."""
        return self._keys.select(selection)


class Snapshot:
    """The records as they were when the change with a sequence number was done."""

    def __init__(self, versions, sequence):
        self._versions = versions
        self.sequence = sequence

    def get(self, key):
        return self._versions.line(key).value_at(self.sequence)

    def select(self, selection):
        found = ((key, self.get(key)) for key in self._versions.keys(selection))
        return [(key, value) for key, value in found if value is not None]


def differences(old, new):
    """For each key whose record differs: key, old value and new value."""
    before, after = (dict(source.select(Selection())) for source in (old, new))
    values = ((key, before.get(key), after.get(key)) for key in sorted({**before, **after}))
    return [difference for difference in values if difference[1] != difference[2]]
