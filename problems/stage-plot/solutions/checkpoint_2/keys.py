"""Keys: tuples of parts, so that they are ordered part by part."""

import re

PARTS = 4
STAR = "*"
PART = re.compile(r"[a-z][a-z0-9-]{0,15}\Z")


def parse(text):
    """The key that TEXT is, or None."""
    parts = tuple(text.split("."))
    if len(parts) <= PARTS and all(PART.match(part) for part in parts):
        return parts
    return None


def parse_default(text):
    """The key with stars that TEXT is, or None."""
    parts = text.split(".")
    filled = parse(".".join("any" if part == STAR else part for part in parts[:-1] + ["last"]))
    if filled is None or STAR not in parts or not PART.match(parts[-1]):
        return None
    return tuple(parts)


def stem_length(default):
    """How many parts of a key with stars reach up to its last star."""
    return max(at for at, part in enumerate(default) if part == STAR) + 1


def filled(default, key):
    """The key that DEFAULT is for because KEY is written out, or None."""
    length = stem_length(default)
    if len(key) <= length:
        return None
    if any(part not in (STAR, own) for part, own in zip(default[:length], key)):
        return None
    return key[:length] + default[length:]


def show(key):
    return ".".join(key)


def within(key, group):
    return key[: len(group)] == group
