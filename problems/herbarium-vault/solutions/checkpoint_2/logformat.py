"""The lines of a log: a header, then frames that hold one entry each."""
import re
import zlib
from typing import NamedTuple, Optional

import checks
from errors import Refused

HEADER = b"vault-log 1\n"
FRAME = re.compile(rb"([1-9][0-9]*) ([0-9a-f]{8}) (.+)\n", re.DOTALL)
CHANGE = re.compile("([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))", re.DOTALL)


class Change(NamedTuple):
    """What one entry does to a key; no value means that the record is deleted."""

    sequence: int
    key: str
    value: Optional[str]


def frame(entry):
    payload = _payload(entry).encode("utf-8")
    return b"%d %s %s\n" % (len(payload), checksum(payload).encode(), payload)


def checksum(data, start=0):
    return f"{zlib.crc32(data, start):08x}"


def unframe(line):
    """What a line holds; None if length or checksum do not fit."""
    match = FRAME.fullmatch(line)
    if match is None:
        return None
    length, stated, payload = match.groups()
    if int(length) != len(payload) or stated.decode() != checksum(payload):
        return None
    return payload


def parse(payload):
    """The entry that a payload spells; None if it spells none."""
    try:
        match = CHANGE.fullmatch(payload.decode("utf-8"))
        if match is None:
            return None
        sequence, key, value, deleted = match.groups()
        if deleted:
            return Change(int(sequence), checks.key(deleted), None)
        return Change(int(sequence), checks.key(key), checks.value(value))
    except (UnicodeDecodeError, Refused):
        return None


def _payload(entry):
    if entry.value is None:
        return f"{entry.sequence} del {entry.key}"
    return f"{entry.sequence} put {entry.key} {entry.value}"
