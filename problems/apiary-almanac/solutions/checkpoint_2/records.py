"""Record files: JSON lines and CSV."""
import csv
import json
import re

from faults import Refused
from values import NUMBER, number_of

LONGEST_TEXT = 60
FIELD = re.compile(r"[a-z][a-z0-9_]{0,23}\Z")


class WrittenNumber(str):
    """A number of a JSON text, as it is written."""


def read_lines(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read().replace("\r\n", "\n").split("\n")
    except (OSError, UnicodeDecodeError):
        raise Refused("cannot read " + path) from None


def read_records(paths):
    """The records of all files, in their order."""
    records = []
    for path in paths:
        lines = read_lines(path)
        parse = csv_records if path.endswith(".csv") else json_records
        records.extend(parse(path, lines))
    return records


def json_records(path, lines):
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = "%s:%d: " % (path, number)
            yield record_of(place, json_members(place, line), json_value)


def json_members(place, line):
    try:
        members = json.loads(line, parse_int=WrittenNumber, parse_float=WrittenNumber,
                             parse_constant=WrittenNumber)
    except ValueError:
        members = None
    if not isinstance(members, dict):
        raise Refused(place + "not a record")
    return members.items()


def csv_records(path, lines):
    names = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = "%s:%d: " % (path, number)
        cells = csv_cells(place, line)
        if names is None:
            names = cells
            check_names(place, names)
        elif len(cells) != len(names):
            raise Refused(place + "not a record")
        else:
            yield record_of(place, zip(names, cells), csv_value)


def csv_cells(place, line):
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error:
        raise Refused(place + "not a record") from None


def check_names(place, names):
    for name in names:
        if not FIELD.match(name):
            raise Refused("%sbad field '%s'" % (place, name))


def record_of(place, members, value_of):
    record = {}
    for name, raw in members:
        check_names(place, [name])
        try:
            record[name] = value_of(raw)
        except ValueError:
            raise Refused("%sbad value for %s" % (place, name)) from None
    if not isinstance(record.get("kind"), str):
        raise Refused(place + "no kind")
    return record


def csv_value(cell):
    if NUMBER.match(cell):
        return number_of(cell)
    return text_value(cell)


def json_value(raw):
    if isinstance(raw, WrittenNumber):
        if not NUMBER.match(raw):
            raise ValueError(raw)
        return number_of(raw)
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise ValueError(raw)
    return text_value(raw)


def text_value(text):
    """A text of a record; the empty one is missing."""
    if len(text) > LONGEST_TEXT or any(character < " " for character in text):
        raise ValueError(text)
    return text or None
