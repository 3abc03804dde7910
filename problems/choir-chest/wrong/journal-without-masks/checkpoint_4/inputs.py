"""Hostile input: files and JSON."""
import json
import re

from refusal import Refusal

MOST_BYTES = 100000
MOST_OPEN = 20
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)


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


def is_too_deep(text):
    """Whether too many brackets are open at one place of what may be JSON."""
    depth = 0
    for token in STRING_OR_BRACKET.findall(text):
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth = max(0, depth - 1)
        if depth > MOST_OPEN:
            return True
    return False
