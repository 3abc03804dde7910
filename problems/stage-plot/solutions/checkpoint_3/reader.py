"""Reads one file into its settings."""

import re
from typing import NamedTuple, Optional

import keys
import sections
import values
from faults import Fault, Place
from sections import Section
from values import BadValue, Written

REPEATED = (
    (True, "%s is set twice, first in line %d"),
    (False, "%s is changed before it is set, in line %d"),
)
INCLUDE = re.compile(r'include[ \t]*(?=")')


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


def includes_of(text):
    is_late = False
    for line in lines_of(text):
        match = INCLUDE.match(line.text)
        if match:
            yield Include(line.number, values.parse_text(line.text[match.end() :]), is_late)
        else:
            is_late = True


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


class Reader:
    def __init__(self, order, file):
        self.order = order
        self.file = file
        self.settings = []
        self.faults = []
        self.first = {}
        self.section = Section(0, "always", ())

    def read(self, text):
        for line in lines_of(text):
            place = Place(self.order, self.file, line.number)
            try:
                self.read_line(place, line.text)
            except ValueError as error:
                self.faults.append(Fault(place, (), str(error)))

    def read_line(self, place, line):
        if line.startswith("["):
            self.section = sections.read_header(self.section.number + 1, line)
            if self.section.word is None:
                raise ValueError("bad section")
        elif not INCLUDE.match(line):
            setting = read_setting(place, self.section, line)
            self.check_repeated(setting)
            self.settings.append(setting)
            self.first.setdefault(self.slot(setting, setting.sign == "="), place.number)

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
