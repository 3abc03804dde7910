"""Reads and checks the fields of a request."""
import json
import re

from faults import Refusal, wrong_field

NAME = re.compile(r"[a-z][a-z0-9-]{0,19}", re.ASCII)
MOST_GRAMS = 100000
MISSING = object()


class Field:
    """A field with its check, which returns the value or raises ValueError."""

    def __init__(self, name, check, default=MISSING):
        self.name = name
        self._check = check
        self._default = default

    def read(self, body):
        value = body.get(self.name, MISSING)
        if value is MISSING:
            value = self._default
            if value is MISSING:
                raise wrong_field(self.name)
            return value
        try:
            return self._check(value)
        except ValueError:
            raise wrong_field(self.name) from None


def number(least, most):
    def check(value):
        if type(value) is not int or not least <= value <= most:
            raise ValueError
        return value
    return check


def name(value):
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError
    return value


def parts(value):
    """One to five dyes with their grams."""
    if not isinstance(value, dict) or not 1 <= len(value) <= 5:
        raise ValueError
    grams = number(1, MOST_GRAMS)
    return {name(dye): grams(amount) for dye, amount in value.items()}


def distinct_names(least, most):
    def check(value):
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise ValueError
        names = [name(item) for item in value]
        if len(set(names)) < len(names):
            raise ValueError
        return names
    return check


def digits(most):
    """A number in a parameter."""
    def check(value):
        if not re.fullmatch("[0-9]{1,9}", value, re.ASCII) or int(value) > most:
            raise ValueError
        return int(value)
    return check


def parse_object(raw):
    try:
        body = json.loads(raw.decode())
    except (ValueError, RecursionError):
        raise Refusal(400, "not-json") from None
    if not isinstance(body, dict):
        raise Refusal(400, "not-json")
    return body


def read_fields(body, fields):
    values = {field.name: field.read(body) for field in fields}
    unlisted = sorted(set(body) - set(values))
    if unlisted:
        raise wrong_field(unlisted[0])
    return values
