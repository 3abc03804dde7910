"""One line of a scenario: a word, a name, and options that are written KEY=VALUE."""

import re

import clock
from errors import CanalError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,23}")
DIGITS = re.compile(r"[0-9]{1,6}")


class Option:
    """How the value of one option is read; read returns None for a bad one."""

    def __init__(self, read, default=None, required=False):
        self.read = read
        self.default = default
        self.required = required


def number(low, high):
    def read(text):
        if DIGITS.fullmatch(text) is None or not low <= int(text) <= high:
            return None
        return int(text)

    return read


def choice(*texts):
    return lambda text: text if text in texts else None


def name(text):
    return text if NAME.fullmatch(text) else None


def required(read):
    return Option(read, required=True)


TIME = clock.parse


def words(text):
    """The words of each line that has any, with the line's number."""
    for line_number, line in enumerate(text.split("\n"), 1):
        found = line.split("#", 1)[0].split()
        if found:
            yield line_number, found


def read_name(rest):
    if not rest:
        raise CanalError("missing name")
    if name(rest[0]) is None:
        raise CanalError("bad name '%s'" % rest[0])
    return rest[0]


def read_options(kinds, given):
    values = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or key not in kinds:
            raise CanalError("bad option '%s'" % text)
        if key in values:
            raise CanalError("%s given twice" % key)
        values[key] = kinds[key].read(value)
        if values[key] is None:
            raise CanalError("bad value '%s' for %s" % (value, key))
    for key, kind in kinds.items():
        if kind.required and key not in values:
            raise CanalError("missing %s" % key)
        values.setdefault(key, kind.default)
    return values
