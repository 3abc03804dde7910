"""One of several who work on a folder, with or without a transaction."""
from errors import Refused
from terms import term
from transaction import Transaction


class Session:
    def __init__(self, folder):
        self.folder = folder
        self._transaction = None

    @property
    def store(self):
        """What reads and writes go to."""
        if self._transaction is not None:
            return self._transaction
        return self.folder.store

    @property
    def log_store(self):
        """What is committed; there must be a log."""
        return self.folder.log_store

    def find(self, path, wanted):
        """The records with a term, as this session sees them."""
        store = self.log_store
        if self._transaction is None:
            return _having(store.as_of(store.last).get, store, path, wanted)
        return _having(self._transaction.peek, self._transaction, path, wanted)

    def find_at(self, sequence, path, wanted):
        store = self.log_store
        return _having(store.as_of(sequence).get, store, path, wanted)

    def begin(self):
        store = self.log_store
        if self._transaction is not None:
            raise Refused("already in a transaction")
        self._transaction = Transaction(store)
        return self._transaction.begun_at

    def commit(self):
        return self._end().commit()

    def rollback(self):
        self._end()

    def _end(self):
        transaction, self._transaction = self._transaction, None
        if transaction is None:
            raise Refused("not in a transaction")
        transaction.end()
        return transaction


def _having(get, source, path, wanted):
    values = ((key, get(key)) for key in sorted(source.candidates(path, wanted)))
    return [
        (key, value)
        for key, value in values
        if value is not None and term(value, path) == wanted
    ]
