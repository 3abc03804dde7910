"""One of several who work on a folder, with or without a transaction."""
from errors import Refused
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
        return transaction
