"""Reads the fields of a body and the parameters of a path, and tells the first that is wrong.

A check is a function of the value and of the whole body; it says whether the value is right.
"""
import json
import re
from collections import namedtuple
from urllib.parse import parse_qsl

from errors import Refusal, bad_field

NEEDED = object()
CODE = re.compile(r"[a-z][a-z0-9-]{0,23}\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Field = namedtuple("Field", "name check default", defaults=[NEEDED])


def number(low, high):
    def check(value, _body):
        return type(value) is int and low <= value <= high
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


def one_of(*words):
    def check(value, _body=None):
        return value in words
    return check


def read_fields(body, fields):
    """The values of the fields, defaults filled in."""
    values = {}
    for field in fields:
        if field.name not in body:
            if field.default is NEEDED:
                raise bad_field(field.name)
            values[field.name] = field.default
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
