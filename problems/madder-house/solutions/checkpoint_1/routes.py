"""The requests of the service: what each takes, does and answers."""
from collections import namedtuple

from faults import Refusal, wrong_field
from fields import MOST_GRAMS, Field, name, number, parse_object, parts, read_fields

Request = namedtuple("Request", "method path query raw_body")
Call = namedtuple("Call", "id fields parameters")
Route = namedtuple("Route", "method pattern handler fields parameters", defaults=[None, ()])

GRAMS = Field("grams", number(1, MOST_GRAMS))
SCALE_MS = Field("ms", number(0, 5000), 0)


def add_dye(room, call):
    return 201, room.add(call.fields["id"], call.fields["grams"])


def list_dyes(room, _call):
    return 200, {"dyes": room.dyes()}


def read_dye(room, call):
    return 200, room.dye(call.id)


def refill(room, call):
    return 200, room.refill(call.id, call.fields["grams"])


def weigh(room, call):
    return 200, room.weigh({call.id: call.fields["grams"]}, None, call.fields["ms"] / 1000)


def mix(room, call):
    if call.fields["into"] in call.fields["parts"]:
        raise wrong_field("into")
    return 200, room.weigh(call.fields["parts"], call.fields["into"], call.fields["ms"] / 1000)


def list_entries(room, _call):
    return 200, {"entries": room.entries()}


ROUTES = [
    Route("POST", "/dyes", add_dye, [Field("id", name), Field("grams", number(0, MOST_GRAMS))]),
    Route("GET", "/dyes", list_dyes),
    Route("GET", "/dyes/ID", read_dye),
    Route("POST", "/dyes/ID/refill", refill, [GRAMS]),
    Route("POST", "/dyes/ID/weigh", weigh, [GRAMS, SCALE_MS]),
    Route("POST", "/mixtures", mix, [Field("parts", parts), Field("into", name), SCALE_MS]),
    Route("GET", "/entries", list_entries),
]


def find_route(request):
    """The route of a request, and the id in its path if there is one."""
    given = request.path.split("/")
    for route in ROUTES:
        pattern = route.pattern.split("/")
        if route.method == request.method and len(pattern) == len(given) and all(
                part == wanted or (wanted == "ID" and part) for wanted, part in zip(pattern, given)):
            return route, given[2] if "ID" in pattern else None
    raise Refusal(404, "unknown-path")


def answer(house, request):
    """Status and body of the answer."""
    try:
        route, thing = find_route(request)
        body = {} if route.fields is None else parse_object(request.raw_body)
        return route.handler(house, Call(thing, read_fields(body, route.fields or []), {}))
    except Refusal as refusal:
        return refusal.status, refusal.body
