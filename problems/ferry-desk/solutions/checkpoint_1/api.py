"""The paths of the service: what each reads, asks the line for, and answers."""
from errors import Refusal
from fields import (Field, code, number, one_of, other_than, parse_object, read_fields,
                    read_parameters, text)
from routing import Reply, Route, find_route

MINUTE = number(0, 10000000)
FARE = number(0, 100000)

CLOCK_FIELDS = [Field("now", MINUTE)]
SAILING_FIELDS = [
    Field("id", code),
    Field("from", text),
    Field("to", other_than("from", text)),
    Field("departs", MINUTE),
    Field("persons", number(1, 5000)),
    Field("metres", number(0, 5000)),
    Field("person_fare", FARE),
    Field("metre_fare", FARE),
]
BOOKING_FIELDS = [
    Field("sailing", code),
    Field("name", text),
    Field("persons", number(1, 500)),
    Field("metres", number(0, 100), default=0),
]
STATES = one_of("booked", "cancelled")


def read_clock(line, _call):
    return Reply(200, {"now": line.now()})


def set_clock(line, call):
    line.set_clock(call.fields["now"])
    return Reply(200, {"now": line.now()})


def add_sailing(line, call):
    sailing = line.add_sailing(call.fields)
    return Reply(201, sailing, {"Location": "/sailings/" + sailing["id"]})


def list_sailings(line, call):
    return Reply(200, {"sailings": line.sailings(call.parameters)})


def read_sailing(line, call):
    return Reply(200, line.sailing(call.id))


def list_bookings_of(line, call):
    return Reply(200, {"bookings": line.bookings_of(call.id, call.parameters)})


def add_booking(line, call):
    booking = line.book(call.fields)
    return Reply(201, booking, {"Location": "/bookings/" + booking["id"]})


def read_booking(line, call):
    return Reply(200, line.booking(call.id))


def cancel_booking(line, call):
    return Reply(200, line.cancel(call.id))


ROUTES = [
    Route("GET", "/clock", read_clock),
    Route("PUT", "/clock", set_clock, fields=CLOCK_FIELDS),
    Route("GET", "/sailings", list_sailings, parameters={"from": text, "to": text}),
    Route("POST", "/sailings", add_sailing, fields=SAILING_FIELDS),
    Route("GET", "/sailings/ID", read_sailing),
    Route("GET", "/sailings/ID/bookings", list_bookings_of, parameters={"state": STATES}),
    Route("POST", "/bookings", add_booking, fields=BOOKING_FIELDS),
    Route("GET", "/bookings/ID", read_booking),
    Route("POST", "/bookings/ID/cancel", cancel_booking),
]


class Call:
    """What a handler gets to know of a request: everything in it that could be wrong is checked."""

    def __init__(self, request, route, thing_id):
        self.id = thing_id
        body = parse_object(request.raw_body) if route.fields is not None else {}
        self.parameters = read_parameters(request.query, route.parameters)
        self.fields = read_fields(body, route.fields or [])


def answer(line, request):
    try:
        route, thing_id = find_route(ROUTES, request)
        return route.handler(line, Call(request, route, thing_id))
    except Refusal as refusal:
        return Reply(refusal.status, refusal.body)
