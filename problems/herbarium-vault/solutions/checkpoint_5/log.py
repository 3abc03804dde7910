"""The log on disk: reading, cutting what is not sound, appending."""
import os
from itertools import groupby
from operator import attrgetter

from log_reading import FILE, read_lines
from logformat import HEADER, Base, frame, unit


class Log:
    def __init__(self, folder):
        self.path = os.path.join(folder, FILE)
        self._file = None

    def exists(self):
        return os.path.exists(self.path)

    def read(self):
        with open(self.path, "rb") as file:
            return read_lines(file.readlines())

    def create(self, changes, notes=(), base=0):
        """Writes a whole new log; it appears at once or not at all."""
        fresh = self.path + ".new"
        os.makedirs(os.path.dirname(fresh) or ".", exist_ok=True)
        entries = sorted([*changes, *notes], key=attrgetter("sequence"))
        with open(fresh, "wb") as file:
            file.write(HEADER)
            if base:
                file.write(frame(Base(base)))
            for _, entries in groupby(entries, key=attrgetter("sequence")):
                file.write(unit(list(entries)))
        os.replace(fresh, self.path)
        self._close()

    def cut(self, size):
        with open(self.path, "r+b") as file:
            file.truncate(size)

    def append(self, entries):
        """Appends what belongs to one version."""
        if self._file is None:
            self._file = open(self.path, "ab")
        self._file.write(unit(entries))
        self._file.flush()

    def _close(self):
        if self._file is not None:
            self._file.close()
            self._file = None
