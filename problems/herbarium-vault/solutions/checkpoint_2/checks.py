"""What keys, values and limits must look like."""
import re

from errors import Refused

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,63}")
PREFIX = re.compile(r"[A-Za-z0-9._/-]{1,64}")
CONTROL = re.compile("[\x00-\x1f\x7f]")
LIMIT = re.compile(r"[1-9][0-9]{0,5}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
LONGEST_VALUE = 200


def key(text):
    if not KEY.fullmatch(text):
        raise Refused(f"bad key '{text}'")
    return text


def prefix(text):
    if not PREFIX.fullmatch(text):
        raise Refused(f"bad prefix '{text}'")
    return text


def value(text):
    size = len(text.encode("utf-8"))
    if not 1 <= size <= LONGEST_VALUE or CONTROL.search(text):
        raise Refused("bad value")
    return text


def limit(text):
    if not LIMIT.fullmatch(text):
        raise Refused(f"bad limit '{text}'")
    return int(text)


def number(text):
    if not NUMBER.fullmatch(text):
        raise Refused(f"bad number '{text}'")
    return int(text)
