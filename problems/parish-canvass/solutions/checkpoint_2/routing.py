"""Finds what answers a request."""
from collections import namedtuple

from errors import not_found, wrong_method

IDS = ("ID", "N")

Request = namedtuple("Request", "method target raw_body")
Reply = namedtuple("Reply", "status body headers", defaults=[{}])
Route = namedtuple("Route", "method pattern handler fields parameters", defaults=[None, {}])


def find_route(routes, method, path):
    """The route of a request, and the ids in its path."""
    parts = path.split("/")
    known = [route for route in routes if _matches(route.pattern.split("/"), parts)]
    if not known:
        raise not_found("unknown-path")
    for route in known:
        if route.method == method:
            return route, _ids(route.pattern.split("/"), parts)
    raise wrong_method(route.method for route in known)


def _matches(pattern, parts):
    return len(pattern) == len(parts) and all(
        part == wanted or (wanted in IDS and part) for wanted, part in zip(pattern, parts))


def _ids(pattern, parts):
    return [part for wanted, part in zip(pattern, parts) if wanted in IDS]
