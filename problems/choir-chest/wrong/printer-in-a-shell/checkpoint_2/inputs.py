"""Hostile input: files and JSON."""
import json

from refusal import Refusal


def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        raise Refusal("no such file") from None


def read_text(path):
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        raise Refusal("not utf-8") from None


def parse_object(text):
    """The JSON object in a text; ValueError if there is none."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError from None
    if not isinstance(value, dict):
        raise ValueError
    return value


def _no_constant(_name):
    raise ValueError


def has_surrogate(text):
    return any("\ud800" <= character <= "\udfff" for character in text)
