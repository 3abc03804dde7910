"""Reads the fields of a body and the parameters of a path, and tells the first that is wrong.

A check is a function of the value and of the whole body; it says whether the value is right.
"""
import json
import re
from collections import namedtuple
from urllib.parse import parse_qsl

from errors import Refusal, bad_field

NEEDED = object()
ABSENT = object()
CODE = re.compile(r"[a-z][a-z0-9-]{0,23}\Z")
DIGITS = re.compile(r"(0|[1-9][0-9]{0,8})\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Field = namedtuple("Field", "name check default", defaults=[NEEDED])


def number(low, high):
    def check(value, _body=None):
        return type(value) is int and low <= value <= high
    return check


def digits(low, high):
    """For a number that is written in a parameter."""
    def check(value, _body=None):
        return DIGITS.match(value) is not None and low <= int(value) <= high
    return check


def text(value, _body=None):
    return (isinstance(value, str) and 1 <= len(value) <= 60
            and not CONTROL.search(value) and value == value.strip(" "))


def code(value, _body=None):
    return isinstance(value, str) and CODE.match(value) is not None


def boolean(value, _body=None):
    return isinstance(value, bool)


def other_than(name, check):
    """Right if the check is passed and the field of that name is different."""
    def differs(value, body):
        return check(value, body) and value != body.get(name)
    return differs


def legs(value, body):
    """Right if the field is a list of codes and no single sailing is told beside it."""
    return ("sailing" not in body and isinstance(value, list) and 2 <= len(value) <= 4
            and all(map(code, value)) and len(set(value)) == len(value))


def needed_without(name):
    """The default of a field that is needed unless there is another one."""
    def default(body):
        return None if name in body else NEEDED
    return default


def one_of(*words):
    def check(value, _body=None):
        return value in words
    return check


def read_fields(body, fields):
    """The values of the fields, defaults filled in, and those left out that may be missing."""
    values = {}
    for field in fields:
        if field.name not in body:
            default = field.default(body) if callable(field.default) else field.default
            if default is NEEDED:
                raise bad_field(field.name)
            if default is not ABSENT:
                values[field.name] = default
        elif field.check(body[field.name], body):
            values[field.name] = body[field.name]
        else:
            raise bad_field(field.name)
    unknown = set(body) - set(values)
    if unknown:
        raise bad_field(min(unknown))
    return values


def read_parameters(query, checks):
    """The values of the parameters that are given, by name."""
    values = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in checks or name in values or not checks[name](value):
            raise bad_field(name)
        values[name] = value
    return values


def parse_object(raw):
    """The JSON object in the bytes of a body."""
    try:
        body = json.loads(raw.decode("utf-8"))
    except ValueError:
        raise Refusal(400, "bad-json")
    if not isinstance(body, dict):
        raise Refusal(400, "bad-json")
    return body
