"""The store as a log of changes."""
from errors import Refused
from logformat import Change
from records import Selection
from versions import Versions, differences


class LogStore:
    def __init__(self, log, reading):
        self._log = log
        self._versions = Versions(reading.entries)

    @property
    def last(self):
        return self._versions.last

    def get(self, key):
        return self._newest().get(key)

    def put(self, key, value):
        self._write(key, value)

    def delete(self, key):
        self._write(key, None)

    def select(self, selection):
        return self._newest().select(selection)

    def as_of(self, sequence):
        """The store as it was at a version."""
        if sequence > self.last:
            raise Refused(f"version {sequence} is in the future")
        return self._versions.at(sequence)

    def history(self, key):
        return self._versions.line(key).changes

    def differences(self, old, new):
        keys = self._versions.keys(Selection())
        return differences(self.as_of(old), self.as_of(new), keys)

    def _newest(self):
        return self._versions.at(self.last)

    def _write(self, key, value):
        change = Change(self.last + 1, key, value)
        self._log.append([change])
        self._versions.add(change)
