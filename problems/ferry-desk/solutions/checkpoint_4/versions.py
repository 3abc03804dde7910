"""Versions of things, as they are written in headers."""
import re

from errors import Refusal

TAG = re.compile(r'"([1-9][0-9]{0,8})"\Z')


def tag(version):
    return '"%d"' % version


def read_version(request, route):
    """The version that the request was made for, or None if it does not say or need not."""
    if route.versioned == "never":
        return None
    if "If-Match" not in request.headers:
        if route.versioned == "needed":
            raise Refusal(428, "need-version")
        return None
    match = TAG.match(request.headers["If-Match"])
    if not match:
        raise Refusal(400, "bad-version")
    return int(match.group(1))
