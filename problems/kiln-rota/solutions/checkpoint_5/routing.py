"""Finds what answers a request."""
from collections import namedtuple
from urllib.parse import parse_qsl, urlsplit

from errors import Refusal

Request = namedtuple("Request", "method path parameters raw_body")
# A reply to a trial is forgotten: nothing has happened.
Reply = namedtuple("Reply", "status body is_trial", defaults=[False])
Route = namedtuple("Route", "method pattern handler fields parameters", defaults=[None, {}])
Call = namedtuple("Call", "id fields parameters")


def make_request(method, target, raw_body):
    parts = urlsplit(target)
    parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Request(method, parts.path, parameters, raw_body)


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
