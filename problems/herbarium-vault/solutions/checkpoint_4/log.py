"""The log on disk: reading, cutting what is not sound, appending."""
import os

from log_reading import FILE, read_lines
from logformat import HEADER, frame, unit


class Log:
    def __init__(self, folder):
        self.path = os.path.join(folder, FILE)
        self._file = None

    def exists(self):
        return os.path.exists(self.path)

    def read(self):
        with open(self.path, "rb") as file:
            return read_lines(file.readlines())

    def create(self, changes):
        """Writes a whole new log; it appears at once or not at all."""
        fresh = self.path + ".new"
        os.makedirs(os.path.dirname(fresh) or ".", exist_ok=True)
        with open(fresh, "wb") as file:
            file.write(HEADER)
            file.writelines(frame(change) for change in changes)
        os.replace(fresh, self.path)

    def cut(self, size):
        with open(self.path, "r+b") as file:
            file.truncate(size)

    def append(self, changes):
        """Appends changes that belong to one version."""
        if self._file is None:
            self._file = open(self.path, "ab")
        self._file.write(unit(changes))
        self._file.flush()
