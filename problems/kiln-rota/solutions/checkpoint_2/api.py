"""The paths of the service: what each reads, and what it answers."""
from errors import conflict
from fields import KEPT, Field, is_name, is_text, number, one_of, or_null
from firing import cancel_firing, fire, plan_of
from pieces import book, cancel_piece, change
from routing import Reply, Route
from studio import DEFAULT_RANK, shown
from timeline import move_clock

HEAT = number(100, 1400)
ROOM = number(1, 500)
RANK = number(1, 9)
MINUTE = number(0, 10000000)
DEFAULT_HOLD = 30

CLOCK_FIELDS = [Field("by", number(0, 100000))]
KILN_FIELDS = [
    Field("id", is_name),
    Field("room", ROOM),
    Field("max_heat", HEAT),
    Field("rate", number(1, 50)),
]
PIECE_FIELDS = [
    Field("owner", is_text),
    Field("size", ROOM),
    Field("heat", HEAT),
    Field("rank", RANK, DEFAULT_RANK),
    Field("due", MINUTE, None),
]
PIECE_CHANGES = [Field("rank", RANK, KEPT), Field("due", or_null(MINUTE), KEPT)]
PIECE_STATES = one_of(["waiting", "firing", "fired", "missed", "cancelled"])
FIRING_FIELDS = [
    Field("kiln", is_name),
    Field("heat", HEAT),
    Field("hold", number(0, 600), DEFAULT_HOLD),
    Field("start", MINUTE, None),
]
FIRING_STATES = one_of(["planned", "firing", "done", "empty", "cancelled", "stopped"])


def read_clock(studio, _call):
    return Reply(200, {"now": studio.now})


def post_clock(studio, call):
    move_clock(studio, call.fields["by"])
    return read_clock(studio, call)


def add_kiln(studio, call):
    kiln = call.fields
    if kiln["id"] in studio.kilns:
        raise conflict("kiln-exists")
    studio.kilns[kiln["id"]] = kiln
    return Reply(201, studio.show_kiln(kiln))


def read_kiln(studio, call):
    return Reply(200, studio.show_kiln(studio.kiln(call.id)))


def list_kilns(studio, _call):
    kilns = [studio.show_kiln(kiln) for _, kiln in sorted(studio.kilns.items())]
    return Reply(200, {"kilns": kilns})


def read_plan(studio, call):
    plan = plan_of(studio, studio.kiln(call.id))
    return Reply(200, {"plan": [shown(firing) for firing in plan]})


def add_piece(studio, call):
    return Reply(201, shown(book(studio, call.fields)))


def read_piece(studio, call):
    return Reply(200, shown(studio.piece(call.id)))


def change_piece(studio, call):
    change(studio, studio.piece(call.id), call.fields)
    return read_piece(studio, call)


def post_cancel_piece(studio, call):
    cancel_piece(studio.piece(call.id))
    return read_piece(studio, call)


def list_pieces(studio, call):
    return Reply(200, {"pieces": matching(studio.pieces, call.parameters)})


def add_firing(studio, call):
    return Reply(201, shown(fire(studio, call.fields)))


def read_firing(studio, call):
    return Reply(200, shown(studio.firing(call.id)))


def post_cancel_firing(studio, call):
    cancel_firing(studio, studio.firing(call.id))
    return read_firing(studio, call)


def list_firings(studio, call):
    if "kiln" in call.parameters:
        studio.kiln(call.parameters["kiln"])
    return Reply(200, {"firings": matching(studio.firings, call.parameters)})


def matching(things, wanted):
    """The things whose values are those wanted, in their order."""
    return [shown(thing) for thing in things.values()
            if all(thing[key] == value for key, value in wanted.items())]


ROUTES = [
    Route("GET", "/clock", read_clock),
    Route("POST", "/clock", post_clock, CLOCK_FIELDS),
    Route("POST", "/kilns", add_kiln, KILN_FIELDS),
    Route("GET", "/kilns", list_kilns),
    Route("GET", "/kilns/ID", read_kiln),
    Route("GET", "/kilns/ID/plan", read_plan),
    Route("POST", "/pieces", add_piece, PIECE_FIELDS),
    Route("GET", "/pieces", list_pieces, parameters={"state": PIECE_STATES, "owner": is_text}),
    Route("GET", "/pieces/ID", read_piece),
    Route("PATCH", "/pieces/ID", change_piece, PIECE_CHANGES),
    Route("POST", "/pieces/ID/cancel", post_cancel_piece),
    Route("POST", "/firings", add_firing, FIRING_FIELDS),
    Route("GET", "/firings", list_firings,
          parameters={"kiln": is_name, "state": FIRING_STATES}),
    Route("GET", "/firings/ID", read_firing),
    Route("POST", "/firings/ID/cancel", post_cancel_firing),
]
