"""The form of paths, and of patterns, which are paths with one `*` for the stem."""

import re

from errors import CardError

PATH_MOST = 40
PART = "[A-Za-z0-9_-][A-Za-z0-9._-]*"
PATH = re.compile("%s(/%s)*" % (PART, PART))


def is_path(path):
    return len(path) <= PATH_MOST and PATH.fullmatch(path) is not None


def check(path):
    if not is_path(path):
        raise CardError("bad path '%s'" % path)


def check_pattern(path):
    if not is_path(path.replace("*", "x", 1)):
        raise CardError("bad path '%s'" % path)


def is_pattern(path):
    return "*" in path


def stem(pattern, path):
    """What `*` stands for if the pattern is this path; None if it cannot be."""
    before, after = pattern.split("*")
    found = path[len(before):len(path) - len(after)]
    if not found or "/" in found or before + found + after != path:
        return None
    return found


def fill(pattern, found):
    """The path with the stem put in, checked."""
    path = pattern.replace("*", found)
    check(path)
    return path
