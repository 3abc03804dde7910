"""The paths of the service: what each reads, and what it answers."""
from breaking import break_kiln, move_stranded, repair_kiln
from errors import conflict
from fields import KEPT, Field, is_digits, is_name, is_text, list_of, number, one_of, or_null
from firing import cancel_firing, fire
from leases import add_lease, cancel_lease, refuse_over_quota, refuse_taken, show_lease
from pieces import book, cancel_piece, change
from planning import busy_with, hot_firing, opening, plan_of
from routing import Reply, Route
from studio import DEFAULT_RANK, shown
from timeline import move_clock

HEAT = number(100, 1400)
ROOM = number(1, 500)
RATE = number(1, 50)
HOLD = number(0, 600)
RANK = number(1, 9)
MINUTE = number(0, 10000000)
DEFAULT_HOLD = 30

CLOCK_FIELDS = [Field("by", number(0, 100000))]
KILN_FIELDS = [
    Field("id", is_name),
    Field("room", ROOM),
    Field("max_heat", HEAT),
    Field("rate", RATE),
    Field("cooling", RATE, None),
]
STAGE_FIELDS = [Field("heat", HEAT), Field("rate", RATE), Field("hold", HOLD)]
PROGRAMME_FIELDS = [Field("id", is_name), Field("stages", list_of(1, 8, STAGE_FIELDS))]
PASS_FIELDS = [Field("heat", HEAT), Field("dry", number(0, 20000), 0)]
PIECE_FIELDS = [
    Field("owner", is_text),
    Field("size", ROOM),
    Field("heat", HEAT, instead="passes"),
    Field("rank", RANK, DEFAULT_RANK),
    Field("due", MINUTE, None),
    Field("passes", list_of(1, 5, PASS_FIELDS), None),
    Field("after", is_text, None),
]
PIECE_CHANGES = [Field("rank", RANK, KEPT), Field("due", or_null(MINUTE), KEPT)]
PIECE_STATES = one_of(["drying", "waiting", "firing", "fired", "missed", "cancelled"])
FIRING_FIELDS = [
    Field("kiln", is_name),
    Field("heat", HEAT, instead="programme"),
    Field("hold", HOLD, DEFAULT_HOLD, "programme"),
    Field("start", MINUTE, None),
    Field("programme", is_name, None),
    Field("member", is_text, None),
]
FIRING_STATES = one_of(["planned", "firing", "cooling", "done", "empty", "cancelled", "stopped",
                        "failed", "stranded"])
LEASE_FIELDS = [
    Field("member", is_text),
    Field("kiln", is_name),
    Field("from", MINUTE),
    Field("to", MINUTE, above="from"),
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
    studio.note("kiln-added", kiln)
    move_stranded(studio)
    return Reply(201, show_kiln(studio, kiln))


def show_kiln(studio, kiln):
    if kiln["id"] in studio.broken:
        return shown({**kiln, "state": "broken"})
    firing = hot_firing(studio, kiln)
    if firing is None:
        return shown({**kiln, "state": "idle"})
    state = "firing" if firing["state"] == "firing" else "cooling"
    return shown({**kiln, "state": state, "firing": firing["id"]})


def post_break(studio, call):
    break_kiln(studio, studio.kiln(call.id))
    return read_kiln(studio, call)


def post_repair(studio, call):
    repair_kiln(studio, studio.kiln(call.id))
    return read_kiln(studio, call)


def read_kiln(studio, call):
    return Reply(200, show_kiln(studio, studio.kiln(call.id)))


def list_kilns(studio, _call):
    kilns = [show_kiln(studio, kiln) for _, kiln in sorted(studio.kilns.items())]
    return Reply(200, {"kilns": kilns})


def add_programme(studio, call):
    programme = call.fields
    if programme["id"] in studio.programmes:
        raise conflict("programme-exists")
    programme["top"] = max(stage["heat"] for stage in programme["stages"])
    studio.programmes[programme["id"]] = programme
    studio.note("programme-added", programme)
    return Reply(201, programme)


def read_programme(studio, call):
    return Reply(200, studio.programme(call.id))


def list_programmes(studio, _call):
    programmes = [programme for _, programme in sorted(studio.programmes.items())]
    return Reply(200, {"programmes": programmes})


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
    cancel_piece(studio, studio.piece(call.id))
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


def post_lease(studio, call):
    order = call.fields
    kiln = studio.kiln(order["kiln"])
    refuse_taken(studio, order)
    for firing in busy_with(studio, kiln, order["from"], order["to"]):
        if firing["member"] != order["member"]:
            raise conflict("kiln-busy", until=opening(firing))
    refuse_over_quota(studio, order)
    return Reply(201, show_lease(studio, add_lease(studio, order)))


def read_lease(studio, call):
    return Reply(200, show_lease(studio, studio.lease(call.id)))


def post_cancel_lease(studio, call):
    cancel_lease(studio, studio.lease(call.id))
    return read_lease(studio, call)


def list_leases(studio, call):
    shown_leases = {key: show_lease(studio, lease) for key, lease in studio.leases.items()}
    return Reply(200, {"leases": matching(shown_leases, call.parameters)})


def read_history(studio, call):
    after = int(call.parameters.get("after", 0))
    wanted = call.parameters.get("id")
    return Reply(200, {"history": [entry for entry in studio.history[after:]
                                   if wanted in (None, entry["id"])]})


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
    Route("POST", "/kilns/ID/break", post_break),
    Route("POST", "/kilns/ID/repair", post_repair),
    Route("POST", "/programmes", add_programme, PROGRAMME_FIELDS),
    Route("GET", "/programmes", list_programmes),
    Route("GET", "/programmes/ID", read_programme),
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
    Route("POST", "/leases", post_lease, LEASE_FIELDS),
    Route("GET", "/leases", list_leases, parameters={"kiln": is_name, "member": is_text}),
    Route("GET", "/leases/ID", read_lease),
    Route("POST", "/leases/ID/cancel", post_cancel_lease),
    Route("GET", "/history", read_history, parameters={"id": is_text, "after": is_digits}),
]
