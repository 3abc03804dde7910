"""The form of paths."""

import re

from errors import CardError

PATH_MOST = 40
PART = "[A-Za-z0-9_-][A-Za-z0-9._-]*"
PATH = re.compile("%s(/%s)*" % (PART, PART))


def check(path):
    if len(path) > PATH_MOST or not PATH.fullmatch(path):
        raise CardError("bad path '%s'" % path)
