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


def parse_pattern(text):
    """The key that TEXT is, in which all parts may be stars, or None."""
    parts = text.split(".")
    filled = parse(".".join("any" if part == STAR else part for part in parts))
    return None if filled is None else tuple(parts)


def parse_default(text):
    """The key with stars, but none as its last part, that TEXT is, or None."""
    pattern = parse_pattern(text)
    return pattern if pattern and STAR in pattern[:-1] and pattern[-1] != STAR else None


def matches(pattern, key):
    if len(pattern) != len(key):
        return False
    return all(part in (STAR, own) for part, own in zip(pattern, key))


def stem_length(default):
    """How many parts of a key with stars reach up to its last star."""
    return max(at for at, part in enumerate(default) if part == STAR) + 1


def filled(default, key):
    """The key that DEFAULT is for because KEY is written out, or None."""
    length = stem_length(default)
    if len(key) <= length or not matches(default[:length], key[:length]):
        return None
    return key[:length] + default[length:]


def show(key):
    return ".".join(key)


def common_parts(one, other):
    """How many first parts two keys have in common."""
    same = [a == b for a, b in zip(one, other)] + [False]
    return same.index(False)


def within(key, group):
    return key[: len(group)] == group
