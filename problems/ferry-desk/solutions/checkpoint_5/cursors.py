"""Cursors: where a page ended, and what was asked for, in one word."""
import base64
import json

from errors import bad_field


def write_cursor(number, wanted):
    raw = json.dumps([number, wanted], sort_keys=True).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_cursor(text, wanted):
    """The number of the last booking on the page before."""
    try:
        number = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))[0]
    except (ValueError, TypeError, LookupError):
        raise bad_field("cursor")
    if type(number) is not int or text != write_cursor(number, wanted):
        raise bad_field("cursor")
    return number
