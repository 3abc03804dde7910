"""Reads one file into its settings."""

from typing import NamedTuple

import keys
import values
from faults import Fault, Place
from values import BadValue, Written


class Setting(NamedTuple):
    place: Place
    key: tuple
    sign: str
    value: Written

    @property
    def kind(self):
        """The kind that this line gives its key, or None."""
        if self.sign != "=":
            return "list"
        return None if self.value.kind == "reference" else self.value.kind

    @property
    def is_default(self):
        return keys.STAR in self.key


def strength(setting):
    """Orders the lines of a key, the weakest first."""
    return (not setting.is_default, setting.place)


class Reader:
    def __init__(self, order, file):
        self.order = order
        self.file = file
        self.settings = []
        self.faults = []
        self.first = {}

    def read(self, text):
        for number, line in enumerate(text.split("\n"), 1):
            line = line[:-1] if line.endswith("\r") else line
            line = line.strip(" \t")
            if line and not line.startswith("#"):
                self.read_line(Place(self.order, self.file, number), line)

    def read_line(self, place, line):
        try:
            setting = read_setting(place, line)
            self.check_repeated(setting)
        except ValueError as error:
            self.faults.append(Fault(place, (), str(error)))
        else:
            self.settings.append(setting)
            self.first.setdefault((setting.key, setting.sign == "="), place.number)

    def check_repeated(self, setting):
        if setting.sign != "=":
            return
        name = keys.show(setting.key)
        if (setting.key, True) in self.first:
            number = self.first[setting.key, True]
            raise ValueError("%s is set twice, first in line %d" % (name, number))
        if (setting.key, False) in self.first:
            number = self.first[setting.key, False]
            raise ValueError("%s is changed before it is set, in line %d" % (name, number))


def read_setting(place, line):
    before, found, after = line.partition("=")
    if not found:
        raise ValueError("bad line")
    before, sign = split_sign(before)
    key = keys.parse(before) or (keys.parse_default(before) if sign == "=" else None)
    if key is None:
        raise ValueError("bad key '%s'" % before)
    try:
        return Setting(place, key, sign, values.parse(after.strip(" \t")))
    except BadValue:
        raise ValueError("bad value for %s" % before) from None


def split_sign(before):
    """The key, and which of the signs ``=``, ``+=`` and ``-=`` the line has."""
    if before.endswith(("+", "-")):
        return before[:-1].strip(" \t"), before[-1] + "="
    return before.strip(" \t"), "="
