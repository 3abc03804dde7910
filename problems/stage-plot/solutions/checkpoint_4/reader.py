"""Reads one file into its settings."""

import re
from typing import NamedTuple, Optional

import keys
import sections
import values
from faults import Fault, Place
from sections import Performance, Section
from values import BadValue, Written

REPEATED = (
    (True, "%s is set twice, first in line %d"),
    (False, "%s is changed before it is set, in line %d"),
)
INCLUDE = re.compile(r'include[ \t]*(?=")')
AT = re.compile(r"at[ \t]+(?![ \t=+-])")


class Line(NamedTuple):
    number: int
    text: str


def lines_of(text):
    """The lines of TEXT that are neither empty nor comments, without blanks at their ends."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line[:-1] if line.endswith("\r") else line
        line = line.strip(" \t")
        if line and not line.startswith("#"):
            yield Line(number, line)


def words_of(text):
    return [word for word in text.replace("\t", " ").split(" ") if word]


class Include(NamedTuple):
    number: int
    path: Optional[str]
    is_late: bool

    @property
    def is_path(self):
        return bool(self.path) and not self.path.startswith("/")

    @property
    def counts(self):
        return self.is_path and not self.is_late


def includes_of(text):
    is_late = False
    for line in lines_of(text):
        match = INCLUDE.match(line.text)
        if match:
            yield Include(line.number, values.parse_text(line.text[match.end() :]), is_late)
        elif not AT.match(line.text):
            is_late = True


def performance_of(text):
    """What the first line of a night says about where and how we play."""
    first = next(lines_of(text), Line(1, ""))
    return (AT.match(first.text) and read_at(first.text)) or Performance()


def read_at(line):
    """The performance that an ``at`` line says, or None."""
    names = words_of(line.partition("#")[0])[1:]
    profiles = tuple(names[1:])
    if not names or not all(keys.PART.match(name) for name in names):
        return None
    if len(set(profiles)) < len(profiles):
        return None
    return Performance(names[0], profiles)


class Setting(NamedTuple):
    """A line; ``text`` is its value as written."""

    place: Place
    section: Section
    key: tuple
    sign: str
    value: Written
    text: str

    @property
    def kind(self):
        """The kind that this line gives its key, or None."""
        if self.sign != "=":
            return "list"
        return None if self.value.kind == "reference" else self.value.kind

    @property
    def is_default(self):
        return keys.STAR in self.key


def strength(performance):
    """A function that orders the lines of a key, the weakest first."""

    def order(setting):
        rank = performance.rank(setting.section)
        return not setting.is_default, setting.place.order, rank, setting.place.number

    return order


HEAD = Section(0, "always", ())


class Reader:
    def __init__(self, order, file, is_night=False):
        self.order = order
        self.file = file
        self.is_night = is_night
        self.settings = []
        self.well_formed = []
        self.faults = []
        self.first = {}
        self.section = HEAD

    def read(self, text):
        for index, line in enumerate(lines_of(text)):
            place = Place(self.order, self.file, line.number)
            try:
                self.read_line(place, line.text, index == 0)
            except ValueError as error:
                self.faults.append(Fault(place, (), str(error)))

    def read_line(self, place, line, is_first):
        if line.startswith("["):
            self.section = sections.read_header(self.section.number + 1, line)
            if self.section.word is None:
                raise ValueError("bad section")
        elif AT.match(line):
            self.check_at(line, is_first)
        elif not INCLUDE.match(line):
            self.add(read_setting(place, self.section, line))

    def check_at(self, line, is_first):
        if not self.is_night:
            raise ValueError("at is for nights")
        if not is_first:
            raise ValueError("at must come first")
        if read_at(line) is None:
            raise ValueError("bad at")

    def add(self, setting):
        self.well_formed.append(setting)
        self.check_repeated(setting)
        self.settings.append(setting)
        self.first.setdefault(self.slot(setting, setting.sign == "="), setting.place.number)

    def slot(self, setting, sets):
        return self.section.number, setting.key, sets

    def check_repeated(self, setting):
        if setting.sign != "=":
            return
        name = keys.show(setting.key)
        for sets, message in REPEATED:
            number = self.first.get(self.slot(setting, sets))
            if number is not None:
                raise ValueError(message % (name, number))


def read_setting(place, section, line):
    before, found, after = line.partition("=")
    if not found:
        raise ValueError("bad line")
    before, sign = split_sign(before)
    key = keys.parse(before) or (keys.parse_default(before) if sign == "=" else None)
    if key is None:
        raise ValueError("bad key '%s'" % before)
    try:
        value, own = values.parse(after.strip(" \t"))
    except BadValue:
        raise ValueError("bad value for %s" % before) from None
    return Setting(place, section, key, sign, value, own)


def split_sign(before):
    """The key, and which of the signs ``=``, ``+=`` and ``-=`` the line has."""
    if before.endswith(("+", "-")):
        return before[:-1].strip(" \t"), before[-1] + "="
    return before.strip(" \t"), "="


class HeadLine(NamedTuple):
    number: int
    key: Optional[tuple]


def head_of(text):
    """The lines above the first header, without comments."""
    for line in lines_of(text):
        if line.text.startswith("["):
            return
        if INCLUDE.match(line.text) or AT.match(line.text):
            yield HeadLine(line.number, None)
        else:
            before, _ = split_sign(line.text.partition("=")[0])
            yield HeadLine(line.number, tuple(before.split(".")))
