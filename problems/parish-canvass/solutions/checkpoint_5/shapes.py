"""Reads what comes with a request, and tells the first place that has not the form it should have.

A reader takes a value, the way to it, and the fields before it that were read already; it returns
the value as it is kept, or refuses the way.
"""
import json
import re
from collections import namedtuple
from urllib.parse import parse_qsl

import ways
from errors import Refusal, bad_input

NEEDED = object()
ABSENT = object()
NAME = re.compile(r"[a-z][a-z0-9_]{0,19}\Z")
DIGITS = re.compile(r"[1-9][0-9]{0,5}\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Field = namedtuple("Field", "name read default", defaults=[NEEDED])


def reader_of(is_right):
    """The reader of values that are kept as they are."""
    def read(value, at, _before=None):
        if not is_right(value):
            raise bad_input(at)
        return value
    return read


def is_whole(value):
    return type(value) is int


def whole(low, high):
    return reader_of(lambda value: is_whole(value) and low <= value <= high)


line = reader_of(lambda value: isinstance(value, str) and 1 <= len(value) <= 80
                 and not CONTROL.search(value) and value == value.strip(" "))
name = reader_of(lambda value: isinstance(value, str) and NAME.match(value) is not None)
flag = reader_of(lambda value: isinstance(value, bool))
an_object = reader_of(lambda value: isinstance(value, dict))


def one_of(*values):
    return reader_of(lambda value: isinstance(value, str) and value in values)


def digits(value, at, _before=None):
    """The reader of a number that is written in a parameter."""
    if not DIGITS.match(value):
        raise bad_input(at)
    return int(value)


def items(low, high, read):
    """The reader of a list."""
    def read_items(value, at, _before=None):
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise bad_input(at)
        return [read(entry, ways.item(at, index)) for index, entry in enumerate(value)]
    return read_items


def read_fields(fields, value, at=""):
    """The fields of an object, defaults included."""
    an_object(value, at)
    result = {}
    for field in fields:
        way = ways.into(at, field.name)
        if field.name in value:
            result[field.name] = field.read(value[field.name], way, result)
        elif field.default is NEEDED:
            raise bad_input(way)
        elif field.default is not ABSENT:
            result[field.name] = field.default
    for unlisted in sorted(set(value) - {field.name for field in fields}):
        raise bad_input(ways.into(at, unlisted))
    return result


def read_body(raw):
    try:
        body = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refusal(400, "not-json")
    if not isinstance(body, dict):
        raise Refusal(400, "not-json")
    return body


def read_parameters(query, readers):
    parameters = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key not in readers or key in parameters:
            raise bad_input(key)
        parameters[key] = readers[key](value, key)
    return parameters
