"""Reads one file into its settings."""

from typing import NamedTuple

import keys
import values
from faults import Fault, Place
from values import BadValue, Value


class Setting(NamedTuple):
    place: Place
    key: tuple
    value: Value


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
            setting = self.setting(place, line)
        except ValueError as error:
            self.faults.append(Fault(place, str(error)))
        else:
            self.settings.append(setting)

    def setting(self, place, line):
        before, sign, after = line.partition("=")
        if not sign:
            raise ValueError("bad line")
        written = before.strip(" \t")
        key = keys.parse(written)
        if key is None:
            raise ValueError("bad key '%s'" % written)
        try:
            value = values.parse(after.strip(" \t"))
        except BadValue:
            raise ValueError("bad value for %s" % written) from None
        if key in self.first:
            raise ValueError("%s is set twice, first in line %d" % (written, self.first[key]))
        self.first[key] = place.number
        return Setting(place, key, value)
