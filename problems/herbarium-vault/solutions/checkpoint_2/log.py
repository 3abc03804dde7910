"""The log on disk: reading what is sound, cutting what is not, appending."""
import os
from typing import NamedTuple, Optional

from errors import Refused
from logformat import HEADER, frame, parse, unframe

FILE = "vault.log"


class Reading(NamedTuple):
    """What a log holds up to its first line that is not sound."""

    entries: list
    sound_bytes: int
    excess_bytes: int
    damaged_line: Optional[int]
    is_torn: bool

    @property
    def last(self):
        return self.entries[-1].sequence if self.entries else 0

    def refuse_damage(self):
        if self.damaged_line is not None and not self.is_torn:
            raise Refused(f"{FILE} is damaged at line {self.damaged_line}")


class Log:
    def __init__(self, folder):
        self.path = os.path.join(folder, FILE)
        self._file = None

    def exists(self):
        return os.path.exists(self.path)

    def read(self):
        with open(self.path, "rb") as file:
            lines = file.readlines()
        if not lines or lines[0] != HEADER:
            raise Refused(f"{FILE} has no header")
        entries = _sound_entries(lines)
        sound = len(entries) + 1
        after = lines[sound:]
        return Reading(
            entries,
            sum(map(len, lines[:sound])),
            sum(map(len, after)),
            sound + 1 if after else None,
            not any(unframe(line) is not None for line in after[1:]),
        )

    def create(self, entries):
        """Writes a whole new log; it appears at once or not at all."""
        fresh = self.path + ".new"
        os.makedirs(os.path.dirname(fresh) or ".", exist_ok=True)
        with open(fresh, "wb") as file:
            file.write(HEADER)
            file.writelines(map(frame, entries))
        os.replace(fresh, self.path)

    def cut(self, size):
        with open(self.path, "r+b") as file:
            file.truncate(size)

    def append(self, entries):
        if self._file is None:
            self._file = open(self.path, "ab")
        self._file.write(b"".join(map(frame, entries)))
        self._file.flush()


def _sound_entries(lines):
    entries = []
    for line in lines[1:]:
        payload = unframe(line)
        entry = parse(payload) if payload is not None else None
        if entry is None or entry.sequence != len(entries) + 1:
            break
        entries.append(entry)
    return entries
