"""The store as a log of changes."""
from logformat import Change
from records import SortedKeys


class LogStore:
    def __init__(self, log, reading):
        self._log = log
        self._last = reading.last
        self._values = {}
        for change in reading.entries:
            self._apply(change)
        self._keys = SortedKeys(self._values)

    def get(self, key):
        return self._values.get(key)

    def put(self, key, value):
        if key not in self._values:
            self._keys.add(key)
        self._write(key, value)

    def delete(self, key):
        self._keys.remove(key)
        self._write(key, None)

    def select(self, selection):
        return [(key, self._values[key]) for key in self._keys.select(selection)]

    def _write(self, key, value):
        change = Change(self._last + 1, key, value)
        self._log.append([change])
        self._apply(change)
        self._last = change.sequence

    def _apply(self, change):
        if change.value is None:
            self._values.pop(change.key, None)
        else:
            self._values[change.key] = change.value
