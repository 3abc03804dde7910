"""The store as a log of changes."""
from errors import Refused
from logformat import Change
from versions import Versions


class LogStore:
    def __init__(self, log, reading):
        self._log = log
        self._versions = Versions(reading.changes)

    @property
    def last(self):
        return self._versions.last

    def get(self, key):
        return self._newest().get(key)

    def put(self, key, value):
        self.write([(key, value)])

    def delete(self, key):
        self.write([(key, None)])

    def write(self, changes):
        """Makes the changes, in key order, one new version."""
        new = [Change(self.last + 1, key, value) for key, value in changes]
        self._log.append(new)
        for change in new:
            self._versions.add(change)

    def select(self, selection):
        return self._newest().select(selection)

    def as_of(self, sequence):
        """The store as it was at a version."""
        if sequence > self.last:
            raise Refused(f"version {sequence} is in the future")
        return self._versions.at(sequence)

    def history(self, key):
        return self._versions.line(key).changes

    def changed_since(self, key, sequence):
        changes = self.history(key)
        return bool(changes) and changes[-1].sequence > sequence

    def _newest(self):
        return self._versions.at(self.last)
