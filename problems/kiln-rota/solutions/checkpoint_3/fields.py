"""Reads the fields of a body and the parameters of a path, and tells the first that is wrong.

A check is a function of a value that says whether the value is right.
"""
import json
import re
from collections import namedtuple

from errors import Refusal, wrong_field

NAME_LENGTH = 20
TEXT_LENGTH = 40
NEEDED = object()
KEPT = object()
NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

# With the field named in `instead` in the body, this one must be missing.
Field = namedtuple("Field", "name check default instead", defaults=[NEEDED, None])


def number(low, high):
    def check(value):
        return type(value) is int and low <= value <= high
    return check


def is_name(value):
    return isinstance(value, str) and len(value) <= NAME_LENGTH and NAME.match(value) is not None


def is_text(value):
    return (isinstance(value, str) and 1 <= len(value) <= TEXT_LENGTH
            and not CONTROL.search(value) and value == value.strip(" "))


def one_of(words):
    def check(value):
        return value in words
    return check


def list_of(low, high, fields):
    """Right for a list of so many objects with these fields."""
    def check(value):
        return (isinstance(value, list) and low <= len(value) <= high
                and all(_is_object(item, fields) for item in value))
    return check


def _is_object(item, fields):
    if not isinstance(item, dict):
        return False
    try:
        read_fields(item, fields)
    except Refusal:
        return False
    return True


def or_null(check):
    def check_or_null(value):
        return value is None or check(value)
    return check_or_null


def read_fields(body, fields):
    """The values of the fields, defaults filled in; a field that is kept may be missing."""
    values = {field.name: _read_field(body, field) for field in fields
              if field.name in body or field.default is not KEPT}
    unlisted = set(body) - set(values)
    if unlisted:
        raise wrong_field(min(unlisted))
    return values


def _read_field(body, field):
    if field.instead in body:
        if field.name in body:
            raise wrong_field(field.name)
        return None
    if field.name not in body:
        if field.default is NEEDED:
            raise wrong_field(field.name)
        return field.default
    if not field.check(body[field.name]):
        raise wrong_field(field.name)
    return body[field.name]


def read_parameters(given, checks):
    """The values of the parameters that are known here, by name."""
    known = {name: given[name] for name in checks if name in given}
    for name, value in known.items():
        if not checks[name](value):
            raise wrong_field(name)
    return known


def parse_object(raw):
    """The JSON object in the bytes of a body."""
    try:
        body = json.loads(raw.decode("utf-8"))
    except ValueError:
        raise Refusal(400, "not-json")
    if not isinstance(body, dict):
        raise Refusal(400, "not-json")
    return body
