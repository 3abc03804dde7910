"""The paths of the service: what each reads, and what it answers."""
from errors import conflict
from fields import Field, is_name, is_text, number, one_of
from firing import fire, move_clock
from routing import Reply, Route
from studio import shown

HEAT = number(100, 1400)
ROOM = number(1, 500)
DEFAULT_HOLD = 30

CLOCK_FIELDS = [Field("by", number(0, 100000))]
KILN_FIELDS = [
    Field("id", is_name),
    Field("room", ROOM),
    Field("max_heat", HEAT),
    Field("rate", number(1, 50)),
]
PIECE_FIELDS = [Field("owner", is_text), Field("size", ROOM), Field("heat", HEAT)]
PIECE_PARAMETERS = {"state": one_of(["waiting", "firing", "fired"]), "owner": is_text}
FIRING_FIELDS = [
    Field("kiln", is_name),
    Field("heat", HEAT),
    Field("hold", number(0, 600), DEFAULT_HOLD),
]


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


def add_piece(studio, call):
    piece = {"id": "P%d" % (len(studio.pieces) + 1), **call.fields,
             "booked_at": studio.now, "state": "waiting"}
    studio.pieces[piece["id"]] = piece
    return Reply(201, shown(piece))


def read_piece(studio, call):
    return Reply(200, shown(studio.piece(call.id)))


def list_pieces(studio, call):
    return Reply(200, {"pieces": matching(studio.pieces, call.parameters)})


def add_firing(studio, call):
    return Reply(201, shown(fire(studio, call.fields)))


def read_firing(studio, call):
    return Reply(200, shown(studio.firing(call.id)))


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
    Route("POST", "/pieces", add_piece, PIECE_FIELDS),
    Route("GET", "/pieces", list_pieces, parameters=PIECE_PARAMETERS),
    Route("GET", "/pieces/ID", read_piece),
    Route("POST", "/firings", add_firing, FIRING_FIELDS),
    Route("GET", "/firings", list_firings, parameters={"kiln": is_name}),
    Route("GET", "/firings/ID", read_firing),
]
