"""Finds what answers a request."""
from collections import namedtuple

from errors import Refusal, not_found

Request = namedtuple("Request", "method path query headers raw_body")
Reply = namedtuple("Reply", "status body headers", defaults=[{}])

# `versioned` says what becomes of If-Match: "never" looked at, "allowed" or "needed".
Route = namedtuple("Route", "method pattern handler fields parameters versioned",
                   defaults=[None, {}, "never"])


def make_request(method, target, headers, raw_body):
    path, _, query = target.partition("?")
    return Request(method, path, query, headers, raw_body)


def find_route(routes, request):
    """The route of a request, and the id in its path if there is one."""
    parts = request.path.split("/")
    known = [route for route in routes if _matches(route.pattern.split("/"), parts)]
    if not known:
        raise not_found("no-such-path")
    for route in known:
        if route.method == request.method:
            return route, parts[2] if len(parts) > 2 else None
    raise Refusal(405, "no-such-method")


def _matches(pattern, parts):
    return len(pattern) == len(parts) and all(
        part == wanted or (wanted == "ID" and part) for wanted, part in zip(pattern, parts))
