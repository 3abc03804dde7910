"""The schema: which keys there may be, and what they may be."""

import re
from typing import NamedTuple, Optional

import keys
import units
import values
from faults import Fault, Place
from reader import lines_of, words_of
from renames import Renames
from values import BadValue, Value

FILE = "schema.cue"
KINDS = ("number", "truth", "text", "list", "length", "time")


class Range(NamedTuple):
    low: int
    high: int
    kind: str

    def fault_of(self, value):
        """What is wrong with VALUE, or None."""
        sized = value.kind in ("text", "list")
        size = len(value.content) if sized else value.content
        if self.low <= size <= self.high:
            return None
        shown = "has length %d" % size if sized else "is " + values.show(value)
        return "%s, outside %s" % (shown, self)

    def __str__(self):
        return "..".join(values.show(Value(self.kind, end)) for end in (self.low, self.high))


class Declaration(NamedTuple):
    place: Place
    key: tuple
    kind: str
    range: Optional[Range]
    required: bool


class Arrow(NamedTuple):
    """A line that says that a key has another name."""

    number: int
    old: tuple
    new: tuple


class Schema:
    def __init__(self, text):
        self.declarations = {}
        self.renames = Renames()
        self.arrows = []
        self.faults = []
        for line in lines_of(text):
            place = Place(-1, FILE, line.number)
            try:
                self.read_line(place, line.text.partition("#")[0])
            except ValueError as error:
                self.faults.append(Fault(place, (), str(error)))

    def read_line(self, place, line):
        if "->" in line and ":" not in line:
            old, new = read_rename(line)
            self.renames.add(old, new, place.number)
            self.arrows.append(Arrow(place.number, old, new))
        else:
            self.declare(read_declaration(place, line))

    def declare(self, declaration):
        if declaration.key in self.declarations:
            number = self.declarations[declaration.key].place.number
            words = (keys.show(declaration.key), number)
            raise ValueError("%s is declared twice, first in line %d" % words)
        self.declarations[declaration.key] = declaration

    def find(self, key):
        if key in self.declarations:
            return self.declarations[key]
        return next((d for d in self.declarations.values() if keys.matches(d.key, key)), None)

    def required(self):
        return [d for d in self.declarations.values() if d.required]


def read_rename(line):
    written = [side.strip(" \t") for side in line.split("->")]
    if len(written) > 2:
        raise ValueError("bad line")
    names = [keys.parse(side) for side in written]
    if None in names:
        raise ValueError("bad key '%s'" % written[names.index(None)])
    return names


def read_declaration(place, line):
    before, colon, after = line.partition(":")
    words = words_of(after)
    if not colon or not words:
        raise ValueError("bad line")
    key = keys.parse_pattern(before.strip(" \t"))
    if key is None:
        raise ValueError("bad key '%s'" % before.strip(" \t"))
    if words[0] not in KINDS:
        raise ValueError("bad kind '%s'" % words[0])
    found = {}
    for word in words[1:]:
        name, value = read_word(word, key, words[0])
        if name in found:
            raise ValueError("bad word '%s'" % word)
        found[name] = value
    return Declaration(place, key, words[0], found.get("range"), found.get("required", False))


def read_word(word, key, kind):
    if ".." in word:
        return "range", read_range(word, kind)
    if word != "required" or keys.STAR in key:
        raise ValueError("bad word '%s'" % word)
    return "required", True


def read_range(word, kind):
    ends = [read_end(end, kind) for end in word.split("..", 1)]
    if None in ends or ends[0] > ends[1]:
        raise ValueError("bad range '%s'" % word)
    return Range(ends[0], ends[1], kind if kind in units.UNITS else "number")


def read_end(text, kind):
    """The size that one end of a range for KIND is, or None."""
    wanted = "number" if kind in ("text", "list") else kind
    try:
        value, _ = values.parse(text)
    except BadValue:
        return None
    return value.content if value.kind == wanted and wanted != "truth" else None
