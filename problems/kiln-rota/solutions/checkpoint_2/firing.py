"""Firings: when they may be, what is loaded, how long they take, and how they end."""
from errors import conflict
from pieces import load_order

ROOM_HEAT = 20
HEAT_BAND = 40
OPEN_STATES = ["planned", "firing"]


def fire(studio, order):
    """Fires a kiln now, or plans to."""
    start = studio.now if order["start"] is None else order["start"]
    kiln = studio.kiln(order["kiln"])
    firing = {
        "id": "F%d" % (len(studio.firings) + 1),
        "kiln": kiln["id"], "heat": order["heat"], "hold": order["hold"],
        "starts": start,
        "ends": start + minutes_of_rise(kiln, order["heat"]) + order["hold"],
        "state": "planned", "pieces": [], "used": 0,
    }
    _refuse_impossible(studio, kiln, firing)
    if start == studio.now:
        load = first_fit(studio, firing)
        if not load:
            raise conflict("nothing-to-fire")
        _light(firing, load)
    studio.firings[firing["id"]] = firing
    return firing


def _refuse_impossible(studio, kiln, firing):
    if firing["starts"] < studio.now:
        raise conflict("in-the-past")
    if firing["heat"] > kiln["max_heat"]:
        raise conflict("too-hot", max_heat=kiln["max_heat"])
    for other in plan_of(studio, kiln):
        if firing["starts"] < other["ends"] and other["starts"] < firing["ends"]:
            raise conflict("kiln-busy", until=other["ends"])


def plan_of(studio, kiln):
    """The firings that take the kiln's time, the earliest first."""
    return sorted(studio.firings_of(kiln, OPEN_STATES), key=lambda firing: firing["starts"])


def start(studio, firing):
    """A planned firing whose minute has come."""
    load = first_fit(studio, firing)
    if load:
        _light(firing, load)
    else:
        firing["state"] = "empty"


def _light(firing, load):
    firing.update(state="firing", pieces=[piece["id"] for piece in load],
                  used=sum(piece["size"] for piece in load))
    for piece in load:
        piece.update(state="firing", firing=firing["id"])


def first_fit(studio, firing):
    room = studio.kiln(firing["kiln"])["room"]
    load = []
    for piece in sorted(studio.pieces.values(), key=load_order):
        if piece["state"] == "waiting" and suits(piece, firing) and piece["size"] <= room:
            load.append(piece)
            room -= piece["size"]
    return load


def suits(piece, firing):
    if piece["due"] is not None and firing["ends"] > piece["due"]:
        return False
    return piece["heat"] <= firing["heat"] <= piece["heat"] + HEAT_BAND


def minutes_of_rise(kiln, heat):
    return -(-(heat - ROOM_HEAT) // kiln["rate"])


def finish(studio, firing):
    firing["state"] = "done"
    for piece in studio.pieces_of(firing):
        piece["state"] = "fired"


def cancel_firing(studio, firing):
    if firing["state"] not in OPEN_STATES:
        raise conflict("firing-over")
    if firing["state"] == "planned":
        firing["state"] = "cancelled"
        return
    firing.update(state="stopped", ends=studio.now)
    for piece in studio.pieces_of(firing):
        piece.update(state="waiting", firing=None)
