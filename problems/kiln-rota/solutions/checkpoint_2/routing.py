"""Finds what answers a request."""
from collections import namedtuple

from errors import Refusal

Request = namedtuple("Request", "method path parameters raw_body")
Reply = namedtuple("Reply", "status body")
Route = namedtuple("Route", "method pattern handler fields parameters", defaults=[None, {}])
Call = namedtuple("Call", "id fields parameters")


def find_route(routes, request):
    """The route of a request, and the id in its path if there is one."""
    parts = request.path.split("/")
    known = [route for route in routes if _matches(route.pattern.split("/"), parts)]
    if not known:
        raise Refusal(404, "unknown-path")
    for route in known:
        if route.method == request.method:
            return route, parts[2] if len(parts) > 2 else None
    raise Refusal(405, "unknown-method")


def _matches(pattern, parts):
    return len(pattern) == len(parts) and all(
        part == wanted or (wanted == "ID" and part) for wanted, part in zip(pattern, parts))
