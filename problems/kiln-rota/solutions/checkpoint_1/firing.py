"""Firings: what is loaded, how long they take, and what their end brings about."""
from errors import conflict

ROOM_HEAT = 20
HEAT_BAND = 40


def fire(studio, order):
    """Fires a kiln at once with all pieces that suit and fit."""
    kiln = studio.kiln(order["kiln"])
    if order["heat"] > kiln["max_heat"]:
        raise conflict("too-hot", max_heat=kiln["max_heat"])
    for running in studio.firings_of(kiln, ["firing"]):
        raise conflict("kiln-busy", until=running["ends"])
    load = first_fit(studio, order["heat"], kiln["room"])
    if not load:
        raise conflict("nothing-to-fire")
    firing = {
        "id": "F%d" % (len(studio.firings) + 1), **order,
        "starts": studio.now,
        "ends": studio.now + minutes_of_rise(kiln, order["heat"]) + order["hold"],
        "state": "firing",
        "pieces": [piece["id"] for piece in load],
        "used": sum(piece["size"] for piece in load),
    }
    studio.firings[firing["id"]] = firing
    for piece in load:
        piece.update(state="firing", firing=firing["id"])
    return firing


def first_fit(studio, heat, room):
    load = []
    for piece in studio.pieces.values():
        if piece["state"] == "waiting" and suits(piece, heat) and piece["size"] <= room:
            load.append(piece)
            room -= piece["size"]
    return load


def suits(piece, heat):
    return piece["heat"] <= heat <= piece["heat"] + HEAT_BAND


def minutes_of_rise(kiln, heat):
    return -(-(heat - ROOM_HEAT) // kiln["rate"])


def move_clock(studio, minutes):
    studio.now += minutes
    for firing in studio.firings.values():
        if firing["state"] == "firing" and firing["ends"] <= studio.now:
            finish(studio, firing)


def finish(studio, firing):
    firing["state"] = "done"
    for piece in studio.pieces_of(firing):
        piece["state"] = "fired"
