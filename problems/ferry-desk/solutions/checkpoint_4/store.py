"""State on disk: a journal with one line for each commit, replayed at the start.

What is put takes effect in memory at once; all that was put since the last commit becomes one line,
or is taken back.
"""
import json
import os

from state import State


class Store(State):
    def __init__(self, folder):
        super().__init__()
        os.makedirs(folder, exist_ok=True)
        self._pending = []
        self._undo = []
        path = os.path.join(folder, "journal.jsonl")
        self._replay(path)
        self._file = open(path, "ab")

    def put(self, kind, value, what=None):
        self._undo.append(self.apply(kind, value, what))
        self._pending.append([kind, value, what])

    def commit(self):
        """Keeps all that was put, or none: a line counts only with its end."""
        if self._pending:
            self._file.write(json.dumps(self._pending).encode() + b"\n")
            self._file.flush()
        self._pending, self._undo = [], []

    def roll_back(self):
        """Takes back all that was put since the last commit."""
        for take_back in reversed(self._undo):
            take_back()
        self._pending, self._undo = [], []

    def _replay(self, path):
        if not os.path.exists(path):
            return
        with open(path, "r+b") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    break
                for record in json.loads(line):
                    self.apply(*record)
                whole += len(line)
            file.truncate(whole)
