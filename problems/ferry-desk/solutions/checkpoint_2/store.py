"""State on disk: a journal with one line for each commit, replayed at the start.

A record is `[kind, value]` with the whole new value of one thing. What is put takes effect in
memory at once, and all that was put since the last commit becomes one line.
"""
import json
import os
from collections import defaultdict


class Store:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.clock = 0
        self.sailings = {}
        self.bookings = {}
        self.replies = {}
        self._numbers_on = defaultdict(list)
        self._pending = []
        path = os.path.join(folder, "journal.jsonl")
        self._replay(path)
        self._file = open(path, "ab")

    def put(self, kind, value):
        self._apply(kind, value)
        self._pending.append([kind, value])

    def commit(self):
        """Keeps all that was put, or none: a line counts only with its end."""
        if self._pending:
            self._file.write(json.dumps(self._pending).encode() + b"\n")
            self._file.flush()
            self._pending = []

    def bookings_on(self, sailing_id):
        """The bookings of a sailing in the order of their numbers."""
        return [self.bookings[number] for number in self._numbers_on[sailing_id]]

    def _replay(self, path):
        if not os.path.exists(path):
            return
        with open(path, "r+b") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    break
                for kind, value in json.loads(line):
                    self._apply(kind, value)
                whole += len(line)
            file.truncate(whole)

    def _apply(self, kind, value):
        if kind == "clock":
            self.clock = value
        elif kind == "sailing":
            self.sailings[value["id"]] = value
        elif kind == "booking":
            if value["id"] not in self.bookings:
                self._numbers_on[value["sailing"]].append(value["id"])
            self.bookings[value["id"]] = value
        else:
            self.replies[value["key"]] = value
