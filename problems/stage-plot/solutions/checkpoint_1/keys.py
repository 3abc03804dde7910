"""Keys: tuples of parts, so that they are ordered part by part."""

import re

PARTS = 4
PART = re.compile(r"[a-z][a-z0-9-]{0,15}\Z")


def parse(text):
    """The key that TEXT is, or None."""
    parts = tuple(text.split("."))
    if len(parts) <= PARTS and all(PART.match(part) for part in parts):
        return parts
    return None


def show(key):
    return ".".join(key)


def within(key, group):
    return key[: len(group)] == group
