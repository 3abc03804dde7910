"""A transaction: a snapshot, and changes that nobody else sees yet."""
from errors import Refused


class Transaction:
    def __init__(self, store):
        self._store = store
        self._base = store.as_of(store.last)
        self._writes = {}
        self._named = set()
        store.pin(self.begun_at)

    @property
    def begun_at(self):
        return self._base.sequence

    def get(self, key):
        self._named.add(key)
        return self.peek(key)

    def peek(self, key):
        """As `get`, without depending on the key."""
        return self._writes[key] if key in self._writes else self._base.get(key)

    def put(self, key, value):
        self.write([(key, value)])

    def delete(self, key):
        self.write([(key, None)])

    def write(self, changes):
        for key, value in changes:
            self._named.add(key)
            self._writes[key] = value

    def select(self, selection):
        values = dict(self._base.select(selection))
        values.update(
            (key, value) for key, value in self._writes.items() if key in selection
        )
        return sorted(
            (key, value) for key, value in values.items() if value is not None
        )

    def candidates(self, path, wanted):
        return self._store.candidates(path, wanted) | set(self._writes)

    def end(self):
        self._store.unpin(self.begun_at)

    def commit(self):
        """The new version; None if there is nothing to change."""
        changes = [
            (key, value)
            for key, value in sorted(self._writes.items())
            if value is not None or self._base.get(key) is not None
        ]
        if not changes:
            return None
        for key in sorted(self._named):
            if self._store.changed_since(key, self.begun_at):
                raise Refused(f"conflict on {key}")
        self._store.write(changes)
        return self._store.last
