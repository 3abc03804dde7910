"""Firings: how they are asked for, what is loaded, and how they end."""
from errors import conflict
from heating import heat_after
from leases import own_lease
from pieces import load_order, next_pass, wait_again
from planning import opening, refuse_impossible, set_opening, set_times, stages_of

HEAT_BAND = 40


def fire(studio, order):
    """Fires a kiln now, or plans to."""
    firing = _draft(studio, order)
    refuse_impossible(studio, firing)
    at_once = firing["starts"] == studio.now
    load = first_fit(studio, firing) if at_once else []
    if at_once and not load:
        raise conflict("nothing-to-fire")
    studio.firings[firing["id"]] = firing
    if at_once:
        _light(studio, firing, load)
    else:
        studio.note("firing-planned", firing)
    return firing


def _draft(studio, order):
    kiln = studio.kiln(order["kiln"])
    firing = {"id": "F%d" % (len(studio.firings) + 1), "kiln": kiln["id"], **heat_of(studio, order),
              "starts": studio.now if order["start"] is None else order["start"],
              "member": order["member"],
              "series": order.get("series"), "number": order.get("number"), "state": "planned", "pieces": [], "used": 0, "moves": None}
    set_times(studio, firing)
    return firing


def heat_of(studio, order):
    if order["programme"] is None:
        return {"heat": order["heat"], "hold": order["hold"]}
    return {"heat": studio.programme(order["programme"])["top"], "programme": order["programme"]}


def start(studio, firing):
    """A planned firing whose minute has come."""
    load = first_fit(studio, firing)
    if load:
        _light(studio, firing, load)
    else:
        firing["state"] = "empty"
        studio.note("firing-empty", firing)


def _light(studio, firing, load):
    firing.update(state="firing", pieces=[piece["id"] for piece in load],
                  used=sum(piece["size"] for piece in load))
    studio.note("firing-started", firing)
    for piece in load:
        piece.update(state="firing", firing=firing["id"])
        studio.note("piece-loaded", piece, firing=firing["id"])


def first_fit(studio, firing):
    room = studio.kiln(firing["kiln"])["room"]
    owner = firing["member"] if own_lease(studio, firing) else None
    load = []
    for piece in sorted(studio.pieces.values(), key=load_order):
        if owner in (None, piece["owner"]) and _may_be_loaded(studio, piece, firing) \
                and piece["size"] <= room:
            load.append(piece)
            room -= piece["size"]
    return load


def _may_be_loaded(studio, piece, firing):
    if piece["state"] != "waiting":
        return False
    if piece["due"] is not None and opening(firing) > piece["due"]:
        return False
    if piece["after"] is not None and studio.pieces[piece["after"]]["state"] != "fired":
        return False
    return piece["heat"] <= firing["heat"] <= piece["heat"] + HEAT_BAND


def end_heat(studio, firing):
    firing["state"] = "cooling"
    if firing["opens"] is not None:
        studio.note("firing-cooling", firing)


def open_kiln(studio, firing):
    """The pieces come out, with their heat or without it."""
    if firing["state"] == "cooling":
        firing["state"] = "done"
    if firing["state"] != "stopped":
        studio.note("firing-" + firing["state"], firing)
    for piece in studio.pieces_of(firing):
        if firing["state"] == "done":
            next_pass(studio, piece)
        else:
            wait_again(studio, piece)


def cancel_firing(studio, firing):
    if firing["state"] in ("planned", "stranded"):
        firing["state"] = "cancelled"
        studio.note("firing-cancelled", firing)
    elif firing["state"] == "firing":
        _stop(studio, firing)
    else:
        raise conflict("firing-over")


def _stop(studio, firing):
    kiln = studio.kiln(firing["kiln"])
    heat = heat_after(kiln, stages_of(studio, firing), studio.now - firing["starts"])
    firing.update(state="stopped", ends=studio.now)
    studio.note("firing-stopped", firing)
    set_opening(kiln, firing, heat)
    if opening(firing) == studio.now:
        open_kiln(studio, firing)
