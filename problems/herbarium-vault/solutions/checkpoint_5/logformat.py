"""The lines of a log: a header, then frames that hold one entry each."""
import re
import zlib
from typing import NamedTuple, Optional

import checks
from errors import Refused

HEADER = b"vault-log 1\n"
FRAME = re.compile(rb"([1-9][0-9]*) ([0-9a-f]{8}) (.+)\n", re.DOTALL)
CHANGE = re.compile("([1-9][0-9]*) (?:put ([^ ]+) (.+)|del ([^ ]+))", re.DOTALL)

NOTE = re.compile("([1-9][0-9]*) (mark|unmark|index|unindex) (.+)", re.DOTALL)
BASE = re.compile("([1-9][0-9]*) base")
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


class Note(NamedTuple):
    """Sets or undoes a mark or an index."""

    sequence: int
    word: str
    name: str


class Base(NamedTuple):
    """Says up to which version the log is compacted."""

    sequence: int


NAME_CHECKS = {
    "mark": checks.mark,
    "unmark": checks.mark,
    "index": checks.path,
    "unindex": checks.path,
}


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
        for pattern, build in (
            (CHANGE, _change),
            (NOTE, _note),
            (GROUP, _group),
            (BASE, _base),
        ):
            match = pattern.fullmatch(text)
            if match:
                return build(*match.groups())
    except (UnicodeDecodeError, Refused):
        pass
    return None


def _change(sequence, key, value, deleted):
    if deleted:
        return Change(int(sequence), checks.key(deleted), None)
    return Change(int(sequence), checks.key(key), checks.value(value))


def _note(sequence, word, name):
    return Note(int(sequence), word, NAME_CHECKS[word](name))


def _group(sequence, size):
    return Group(int(sequence), int(size))


def _base(sequence):
    return Base(int(sequence))


def _payload(entry):
    if isinstance(entry, Base):
        return f"{entry.sequence} base"
    if isinstance(entry, Note):
        return f"{entry.sequence} {entry.word} {entry.name}"
    if isinstance(entry, Group):
        return f"{entry.sequence} group {entry.size}"
    if entry.value is None:
        return f"{entry.sequence} del {entry.key}"
    return f"{entry.sequence} put {entry.key} {entry.value}"
