"""The paths of the service: what each reads, asks the line for, and answers."""
from batches import request_of, steps
from bookings import STATES
from cursors import read_cursor, write_cursor
from errors import Refusal, bad_field
from fields import (ABSENT, Field, boolean, code, digits, legs, needed_without, number, one_of,
                    other_than, parse_object, read_fields, read_parameters, text)
from line import Line
from repeats import Repeats, read_key
from routing import Reply, Route, find_route
from versions import read_version, tag

MINUTE = number(0, 10000000)
FARE = number(0, 100000)

PERSONS = number(1, 500)
METRES = number(0, 100)
ALL_PERSONS = number(1, 5000)
ALL_METRES = number(0, 5000)

CLOCK_FIELDS = [Field("now", MINUTE)]
SAILING_FIELDS = [
    Field("id", code),
    Field("from", text),
    Field("to", other_than("from", text)),
    Field("departs", MINUTE),
    Field("persons", ALL_PERSONS),
    Field("metres", ALL_METRES),
    Field("person_fare", FARE),
    Field("metre_fare", FARE),
]
BOOKING_FIELDS = [
    Field("sailing", code, default=needed_without("legs")),
    Field("legs", legs, default=None),
    Field("name", text),
    Field("persons", PERSONS),
    Field("metres", METRES, default=0),
    Field("hold", number(1, 10080), default=None),
    Field("wait", boolean, default=False),
]
SAILING_AMENDMENT = [
    Field("departs", MINUTE, ABSENT),
    Field("persons", ALL_PERSONS, ABSENT),
    Field("metres", ALL_METRES, ABSENT),
    Field("person_fare", FARE, ABSENT),
    Field("metre_fare", FARE, ABSENT),
]
BOOKING_AMENDMENT = [
    Field("name", text, ABSENT),
    Field("persons", PERSONS, ABSENT),
    Field("metres", METRES, ABSENT),
]
FARES_FIELDS = [
    Field("from", MINUTE),
    Field("person_fare", FARE),
    Field("metre_fare", FARE),
]
BATCH_FIELDS = [Field("steps", steps)]
CHANGE_NUMBER = digits(0, 999999999)
AT = {"at": CHANGE_NUMBER}
REPORT_PARAMETERS = {**AT, "minute": digits(0, 10000000)}
FEED_PARAMETERS = {"after": CHANGE_NUMBER, "limit": digits(1, 100)}
PAGE_PARAMETERS = {"sailing": code, "state": one_of(*STATES), "limit": digits(1, 100),
                   "cursor": lambda value: True}


def thing_reply(line, thing, status=200, **headers):
    """An answer with one sailing or booking, which tells its version."""
    return Reply(status, thing, {"ETag": tag(line.version(thing["id"])), **headers})


def read_clock(line, _call):
    return Reply(200, {"now": line.now()})


def set_clock(line, call):
    line.set_clock(call.fields["now"])
    return Reply(200, {"now": line.now()})


def add_sailing(line, call):
    sailing = line.add_sailing(call.fields)
    return thing_reply(line, sailing, 201, Location="/sailings/" + sailing["id"])


def list_sailings(line, call):
    return Reply(200, {"sailings": line.sailings(call.parameters)})


def read_sailing(line, call):
    return thing_reply(line, line.sailing(call.id))


def amend_sailing(line, call):
    return thing_reply(line, line.amend_sailing(call.id, call.version, call.fields))


def withdraw_sailing(line, call):
    return thing_reply(line, line.withdraw(call.id, call.version))


def plan_fares(line, call):
    return Reply(200, {"fares": line.plan_fares(call.id, call.fields)})


def list_fares(line, call):
    return Reply(200, {"fares": line.planned_fares(call.id)})


def list_bookings_of(line, call):
    return Reply(200, {"bookings": line.bookings_of(call.id, call.parameters)})


def add_booking(line, call):
    booking = line.book(call.fields)
    return thing_reply(line, booking, 201, Location="/bookings/" + booking["id"])


def read_booking(line, call):
    return thing_reply(line, line.booking(call.id))


def amend_booking(line, call):
    return thing_reply(line, line.amend_booking(call.id, call.version, call.fields))


def list_bookings(line, call):
    wanted = {key: call.parameters[key] for key in ("sailing", "state") if key in call.parameters}
    before = read_cursor(call.parameters["cursor"], wanted) if "cursor" in call.parameters else None
    bookings, last = line.page(wanted, before, int(call.parameters.get("limit", 20)))
    following = write_cursor(last, wanted) if last else None
    return Reply(200, {"bookings": bookings, "next": following})


def list_waiting(line, call):
    return Reply(200, {"bookings": line.waiting_list(call.id)})


def confirm_booking(line, call):
    return thing_reply(line, line.confirm(call.id, call.version))


def cancel_booking(line, call):
    return thing_reply(line, line.cancel(call.id, call.version))


def list_changes(line, call):
    after = int(call.parameters.get("after", 0))
    changes, last = line.changes(after, int(call.parameters.get("limit", 50)))
    return Reply(200, {"changes": changes, "last": last})


def read_report(line, _call):
    return Reply(200, line.report())


ROUTES = [
    Route("GET", "/clock", read_clock),
    Route("PUT", "/clock", set_clock, fields=CLOCK_FIELDS),
    Route("GET", "/sailings", list_sailings, parameters={**AT, "from": text, "to": text}),
    Route("POST", "/sailings", add_sailing, fields=SAILING_FIELDS),
    Route("GET", "/sailings/ID", read_sailing, parameters=AT),
    Route("PATCH", "/sailings/ID", amend_sailing, fields=SAILING_AMENDMENT, versioned="needed"),
    Route("GET", "/sailings/ID/bookings", list_bookings_of,
          parameters={**AT, "state": one_of(*STATES)}),
    Route("GET", "/sailings/ID/waiting", list_waiting, parameters=AT),
    Route("POST", "/sailings/ID/withdraw", withdraw_sailing, versioned="allowed"),
    Route("GET", "/sailings/ID/fares", list_fares),
    Route("POST", "/sailings/ID/fares", plan_fares, fields=FARES_FIELDS),
    Route("POST", "/bookings", add_booking, fields=BOOKING_FIELDS),
    Route("GET", "/bookings", list_bookings, parameters=PAGE_PARAMETERS),
    Route("GET", "/bookings/ID", read_booking, parameters=AT),
    Route("PATCH", "/bookings/ID", amend_booking, fields=BOOKING_AMENDMENT, versioned="needed"),
    Route("POST", "/bookings/ID/confirm", confirm_booking, versioned="allowed"),
    Route("POST", "/bookings/ID/cancel", cancel_booking, versioned="allowed"),
    Route("GET", "/changes", list_changes, parameters=FEED_PARAMETERS),
    Route("GET", "/report", read_report, parameters=REPORT_PARAMETERS),
]
STEP_ROUTES = [route for route in ROUTES if route.method in ("POST", "PATCH")]


class Call:
    """What a handler gets to know of a request: everything in it that could be wrong is checked."""

    def __init__(self, request, route, thing_id, version, body):
        self.id = thing_id
        self.version = version
        self.parameters = read_parameters(request.query, route.parameters)
        self.fields = read_fields(body, route.fields) if route.fields is not None else {}


class Api:
    """Answers requests, each of which is kept on disk as a whole before its answer is given."""

    def __init__(self, store):
        self._store = store
        self._line = Line(store)
        self._repeats = Repeats(store)
        self._routes = ROUTES + [Route("POST", "/batches", self._run_batch, fields=BATCH_FIELDS)]

    def answer(self, request):
        try:
            reply = self._perform(request, self._routes)
        except Refusal as refusal:
            self._store.roll_back()
            return Reply(refusal.status, refusal.body)
        self._store.commit()
        return reply

    def _perform(self, request, routes):
        route, thing_id = find_route(routes, request)
        key = read_key(request)
        version = read_version(request, route)
        body = parse_object(request.raw_body) if route.fields is not None else None
        earlier = self._repeats.reply_to(key, request, body)
        if earlier:
            return earlier
        call = Call(request, route, thing_id, version, body)
        reply = route.handler(self._line_for(call.parameters), call)
        self._repeats.remember(key, request, body, reply)
        return reply

    def _line_for(self, parameters):
        """The line as it is, or as it was when the parameters say."""
        if "at" in parameters and "minute" in parameters:
            raise bad_field("minute")
        if "at" in parameters:
            return self._line.as_of(int(parameters.pop("at")))
        if "minute" in parameters:
            return self._line.at_end_of(int(parameters.pop("minute")))
        return self._line

    def _run_batch(self, line, call):
        results = []
        for step in call.fields["steps"]:
            try:
                reply = self._perform(request_of(step, results), STEP_ROUTES)
            except Refusal as refusal:
                refusal.body["step"] = len(results) + 1
                raise
            version = {"version": line.version(reply.body["id"])} if "id" in reply.body else {}
            results.append({"status": reply.status, "body": reply.body, **version})
        return Reply(200, {"results": results})
