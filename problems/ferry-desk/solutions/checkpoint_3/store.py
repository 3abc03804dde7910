"""State on disk: a journal with one line for each commit, replayed at the start.

A record is `[kind, value, what]` with the whole new value of one thing; for a sailing or a booking
`what` says what happened to it, and makes an entry in the feed. What is put takes effect in memory
at once, and all that was put since the last commit becomes one line.
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
        self.changes = []
        self.versions = defaultdict(int)
        self._numbers_on = defaultdict(list)
        self._pending = []
        path = os.path.join(folder, "journal.jsonl")
        self._replay(path)
        self._file = open(path, "ab")

    def put(self, kind, value, what=None):
        self._apply(kind, value, what)
        self._pending.append([kind, value, what])

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
                for record in json.loads(line):
                    self._apply(*record)
                whole += len(line)
            file.truncate(whole)

    def _apply(self, kind, value, what):
        if kind == "clock":
            self.clock = value
        elif kind == "reply":
            self.replies[value["key"]] = value
        else:
            self._change(kind, value, what)

    def _change(self, kind, value, what):
        thing_id = value["id"]
        if kind == "sailing":
            self.sailings[thing_id] = value
        else:
            if thing_id not in self.bookings:
                self._numbers_on[value["sailing"]].append(thing_id)
            self.bookings[thing_id] = value
        self.versions[thing_id] += 1
        self.changes.append({"seq": len(self.changes) + 1, "at": self.clock, "what": what,
                             "id": thing_id, "version": self.versions[thing_id]})
