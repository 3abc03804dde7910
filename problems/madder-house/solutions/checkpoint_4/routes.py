"""The requests of the service: what each takes, does and answers."""
from collections import namedtuple
from urllib.parse import parse_qsl

from faults import Refusal, wrong_field
from fields import (MOST_GRAMS, Field, digits, distinct_names, name, number, parse_object, parts,
                    read_fields)

Request = namedtuple("Request", "method path query raw_body")
Call = namedtuple("Call", "id fields parameters")
Route = namedtuple("Route", "method pattern handler fields parameters", defaults=[None, ()])

GRAMS = Field("grams", number(1, MOST_GRAMS))
SCALE_MS = Field("ms", number(0, 5000), 0)
MOST_WAIT_MS = 30000
WAIT = Field("wait", digits(MOST_WAIT_MS), 0)
PATIENCE = Field("patience", number(0, 60000), None)


def add_dye(house, call):
    return 201, house.room.add(call.fields["id"], call.fields["grams"])


def list_dyes(house, _call):
    return 200, {"dyes": house.room.dyes()}


def read_dye(house, call):
    return 200, house.room.dye(call.id)


def refill(house, call):
    return 200, house.room.refill(call.id, call.fields["grams"])


def weigh(house, call):
    return 200, _weigh(house, {call.id: call.fields["grams"]}, None, call)


def mix(house, call):
    if call.fields["into"] in call.fields["parts"]:
        raise wrong_field("into")
    return 200, _weigh(house, call.fields["parts"], call.fields["into"], call)


def _weigh(house, taken, into, call):
    patience = call.fields["patience"]
    return house.room.weigh(taken, into, call.fields["ms"] / 1000, patience and patience / 1000)


def list_entries(house, _call):
    return 200, {"entries": house.room.entries()}


def add_vat(house, call):
    return 201, house.add_vat(call.fields["id"])


def read_vat(house, call):
    return 200, house.vat(call.id)


def list_vats(house, _call):
    return 200, {"vats": house.vats()}


def read_log(house, call):
    return 200, {"log": house.log(call.id)}


def add_batch(house, call):
    key = call.fields.pop("key")
    is_new, batch = house.order(call.fields, key)
    return (202 if is_new else 200), batch


def read_batch(house, call):
    return 200, house.batch(call.id, call.parameters["wait"] / 1000)


def list_batches(house, _call):
    return 200, {"batches": house.batches()}


def cancel_batch(house, call):
    return 200, house.cancel(call.id)


def set_customer(house, call):
    most = call.fields["most"]
    house.limit(_customer(call), most)
    return 200, {"id": call.id, "most": most}


def read_events(house, call):
    seconds = call.parameters["wait"] / 1000
    return 200, {"events": house.events(_customer(call), call.parameters["after"], seconds)}


def _customer(call):
    try:
        return name(call.id)
    except ValueError:
        raise wrong_field("customer") from None


def close(house, call):
    return 200, {"batches": house.close(call.fields["ms"] / 1000)}


ROUTES = [
    Route("POST", "/dyes", add_dye, [Field("id", name), Field("grams", number(0, MOST_GRAMS))]),
    Route("GET", "/dyes", list_dyes),
    Route("GET", "/dyes/ID", read_dye),
    Route("POST", "/dyes/ID/refill", refill, [GRAMS]),
    Route("POST", "/dyes/ID/weigh", weigh, [GRAMS, SCALE_MS, PATIENCE]),
    Route("POST", "/mixtures", mix, [Field("parts", parts), Field("into", name), SCALE_MS, PATIENCE]),
    Route("GET", "/entries", list_entries),
    Route("POST", "/vats", add_vat, [Field("id", name)]),
    Route("GET", "/vats", list_vats),
    Route("GET", "/vats/ID", read_vat),
    Route("GET", "/vats/ID/log", read_log),
    Route("POST", "/batches", add_batch, [
        Field("customer", name),
        Field("vats", distinct_names(1, 4)),
        Field("dye", name),
        GRAMS,
        Field("ms", number(1, 60000)),
        PATIENCE,
        Field("key", name, None),
    ]),
    Route("GET", "/batches", list_batches),
    Route("GET", "/batches/ID", read_batch, parameters=[WAIT]),
    Route("POST", "/batches/ID/cancel", cancel_batch),
    Route("PUT", "/customers/ID", set_customer, [Field("most", number(1, 100))]),
    Route("GET", "/customers/ID/events", read_events, parameters=[Field("after", digits(999999), 0), WAIT]),
    Route("POST", "/close", close, [Field("ms", number(0, MOST_WAIT_MS))]),
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
        given = dict(parse_qsl(request.query, keep_blank_values=True))
        parameters = {field.name: field.read(given) for field in route.parameters}
        return route.handler(house, Call(thing, read_fields(body, route.fields or []), parameters))
    except Refusal as refusal:
        return refusal.status, refusal.body
