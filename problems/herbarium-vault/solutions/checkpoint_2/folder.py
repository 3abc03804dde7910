"""The folder of a store, in whichever of its two forms it is."""
import os

from errors import Refused
from log import Log
from logformat import Change
from logstore import LogStore
from plainstore import PlainStore
from records import Selection


class Folder:
    """Opens the store when it is first needed."""

    def __init__(self, path, warn):
        if os.path.exists(path) and not os.path.isdir(path):
            raise Refused(f"{path} is not a folder")
        self._path = path
        self._warn = warn
        self._log = Log(path)
        self._store = None

    @property
    def store(self):
        if self._store is None:
            self._store = self._open()
        return self._store

    def migrate(self):
        """Turns the plain form into a log; the number of records."""
        if self._log.exists():
            raise Refused("already a log")
        plain = self.store
        records = plain.select(Selection())
        self._log.create(
            Change(sequence, key, value)
            for sequence, (key, value) in enumerate(records, start=1)
        )
        plain.remove()
        self._store = None
        return len(records)

    def verify(self):
        """The reading of a log without fault."""
        reading = self._existing_log().read()
        reading.refuse_damage()
        if reading.damaged_line is not None:
            place = f"line {reading.damaged_line}"
            raise Refused(f"torn tail at {place}: {reading.excess_bytes} bytes")
        return reading

    def repair(self):
        """Cuts the log before its first fault; the reading before that."""
        log = self._existing_log()
        reading = log.read()
        if reading.damaged_line is not None:
            log.cut(reading.sound_bytes)
        return reading

    def _existing_log(self):
        if not self._log.exists():
            raise Refused("not a log")
        return self._log

    def _open(self):
        if not self._log.exists():
            return PlainStore(self._path)
        reading = self._log.read()
        reading.refuse_damage()
        if reading.damaged_line is not None:
            self._log.cut(reading.sound_bytes)
            self._warn(f"recovered: dropped {reading.excess_bytes} bytes")
        return LogStore(self._log, reading)
