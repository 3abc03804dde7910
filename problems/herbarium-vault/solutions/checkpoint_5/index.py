"""Which keys ever had which term."""
from terms import term


class Index:
    def __init__(self, path, changes):
        self._path = path
        self._keys = {}
        for change in changes:
            self.add(change)

    def add(self, change):
        if change.value is not None:
            found = term(change.value, self._path)
            self._keys.setdefault(found, set()).add(change.key)

    def candidates(self, wanted):
        return self._keys.get(wanted, set())
