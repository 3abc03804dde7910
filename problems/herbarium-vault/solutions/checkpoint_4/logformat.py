"""The lines of a log: a header, then frames that hold one entry each."""
import re
import zlib
from typing import NamedTuple, Optional

import checks
from errors import Refused

HEADER = b"vault-log 1\n"
FRAME = re.compile(rb"([1-9][0-9]*) ([0-9a-f]{8}) (.+)\n", re.DOTALL)
CHANGE = re.compile("([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))", re.DOTALL)

GROUP = re.compile("([1-9][0-9]*) group ([2-9]|[1-9][0-9]+)")


class Change(NamedTuple):
    """What one entry does to a key; no value means that the record is deleted."""

    sequence: int
    key: str
    value: Optional[str]


class Group(NamedTuple):
    """Says that this many changes of one version follow."""

    sequence: int
    size: int


def frame(entry):
    payload = _payload(entry).encode("utf-8")
    return b"%d %s %s\n" % (len(payload), checksum(payload).encode(), payload)


def unit(changes):
    """The lines for all changes of one version."""
    entries = changes
    if len(changes) > 1:
        entries = [Group(changes[0].sequence, len(changes))] + changes
    return b"".join(map(frame, entries))


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
        text = payload.decode("utf-8")
        group = GROUP.fullmatch(text)
        if group:
            return Group(*map(int, group.groups()))
        match = CHANGE.fullmatch(text)
        if match is None:
            return None
        sequence, key, value, deleted = match.groups()
        if deleted:
            return Change(int(sequence), checks.key(deleted), None)
        return Change(int(sequence), checks.key(key), checks.value(value))
    except (UnicodeDecodeError, Refused):
        return None


def _payload(entry):
    if isinstance(entry, Group):
        return f"{entry.sequence} group {entry.size}"
    if entry.value is None:
        return f"{entry.sequence} del {entry.key}"
    return f"{entry.sequence} put {entry.key} {entry.value}"
