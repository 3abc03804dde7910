"""State in memory, and on disk as a journal with one line for each commit, replayed at the start.

What is put takes effect in memory at once; all that was put since the last commit becomes one line.
Who puts has nothing left to refuse. Values are never changed in place.
"""
import json
import os

GONE = None


class Store:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.tables = {"forms": {}, "replies": {}, "numbers": {}}
        self._pending = []
        path = os.path.join(folder, "journal.jsonl")
        self._replay(path)
        self._file = open(path, "ab")

    def put(self, table, key, value):
        self._pending.append((table, key, value))
        self._apply(table, key, value)

    def remove(self, table, key):
        self.put(table, key, GONE)

    def commit(self):
        """Keeps all that was put, or none: a line counts only with its end."""
        if self._pending:
            self._file.write(json.dumps(self._pending).encode() + b"\n")
            self._file.flush()
        self._pending = []

    def _apply(self, table, key, value):
        if value is GONE:
            self.tables[table].pop(key, None)
        else:
            self.tables[table][key] = value

    def _replay(self, path):
        if not os.path.exists(path):
            return
        with open(path, "r+b") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    break
                for record in json.loads(line):
                    self._apply(*record)
                whole += len(line)
            file.truncate(whole)
