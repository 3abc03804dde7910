"""Lengths and times: numbers with a unit."""

import re

UNITS = {
    "length": {"m": 1000, "cm": 10, "mm": 1},
    "time": {"h": 3600, "min": 60, "s": 1},
}
QUANTITY = re.compile(r"(-?[0-9]{1,9})(mm|cm|m|min|s|h)(?![^ \t,\]#])")


def read(match):
    """The kind of what QUANTITY has matched, and its size in the smallest unit."""
    number, unit = match.groups()
    kind = next(kind for kind, units in UNITS.items() if unit in units)
    return kind, int(number) * UNITS[kind][unit]


def show(kind, size):
    unit, factor = next(item for item in UNITS[kind].items() if size % item[1] == 0)
    return "%d%s" % (size // factor, unit)
