"""State on disk: a journal with one line for each commit, replayed at the start.

A commit is a list of records, each of them `[kind, value]` with the whole new value of one thing.
"""
import json
import os


class Store:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.clock = 0
        self.sailings = {}
        self.bookings = {}
        path = os.path.join(folder, "journal.jsonl")
        self._replay(path)
        self._file = open(path, "ab")

    def commit(self, *records):
        """Takes all records or none: the line counts only with its end."""
        self._file.write(json.dumps(records).encode() + b"\n")
        self._file.flush()
        self._apply(records)

    def _replay(self, path):
        if not os.path.exists(path):
            return
        with open(path, "r+b") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._apply(json.loads(line))
                whole += len(line)
            file.truncate(whole)

    def _apply(self, records):
        for kind, value in records:
            if kind == "clock":
                self.clock = value
            elif kind == "sailing":
                self.sailings[value["id"]] = value
            else:
                self.bookings[value["id"]] = value
