"""Firings: when they may be, what is loaded, how long they take, and how they end."""
from errors import conflict
from heating import cooling_minutes, heat_after, heating_minutes
from pieces import load_order, next_pass, wait_again

HEAT_BAND = 40


def fire(studio, order):
    """Fires a kiln now, or plans to."""
    firing = _draft(studio, order)
    _refuse_impossible(studio, firing)
    if firing["starts"] == studio.now:
        load = first_fit(studio, firing)
        if not load:
            raise conflict("nothing-to-fire")
        _light(firing, load)
    studio.firings[firing["id"]] = firing
    return firing


def _draft(studio, order):
    kiln = studio.kiln(order["kiln"])
    firing = {"id": "F%d" % (len(studio.firings) + 1), "kiln": kiln["id"], **_heat_of(studio, order),
              "starts": studio.now if order["start"] is None else order["start"],
              "state": "planned", "pieces": [], "used": 0}
    set_times(studio, firing)
    return firing


def _heat_of(studio, order):
    if order["programme"] is None:
        return {"heat": order["heat"], "hold": order["hold"]}
    return {"heat": studio.programme(order["programme"])["top"], "programme": order["programme"]}


def set_times(studio, firing):
    """When the firing ends and is opened, if it starts when it says."""
    kiln = studio.kiln(firing["kiln"])
    stages = stages_of(studio, firing)
    firing["ends"] = firing["starts"] + heating_minutes(kiln, stages)
    _set_opening(kiln, firing, stages[-1]["heat"])


def _set_opening(kiln, firing, heat):
    """`opens` stays without a value where a kiln need not cool down."""
    has_cooling = kiln["cooling"] is not None
    firing["opens"] = firing["ends"] + cooling_minutes(kiln, heat) if has_cooling else None


def stages_of(studio, firing):
    if "programme" in firing:
        return studio.programme(firing["programme"])["stages"]
    rate = studio.kiln(firing["kiln"])["rate"]
    return [{"heat": firing["heat"], "rate": rate, "hold": firing["hold"]}]


def opening(firing):
    """The minute from which the kiln can be used again."""
    return firing["ends"] if firing["opens"] is None else firing["opens"]


def _refuse_impossible(studio, firing):
    kiln = studio.kiln(firing["kiln"])
    if firing["starts"] < studio.now:
        raise conflict("in-the-past")
    if firing["heat"] > kiln["max_heat"]:
        raise conflict("too-hot", max_heat=kiln["max_heat"])
    for other in plan_of(studio, kiln):
        if firing["starts"] < opening(other) and other["starts"] < opening(firing):
            raise conflict("kiln-busy", until=opening(other))


def is_hot(studio, firing):
    """Whether the firing has its kiln, and pieces in it, at present."""
    return (firing["state"] in ("firing", "cooling")
            or firing["state"] == "stopped" and opening(firing) > studio.now)


def plan_of(studio, kiln):
    """The firings that take the kiln's time, the earliest first."""
    plan = [firing for firing in studio.firings_of(kiln)
            if firing["state"] == "planned" or is_hot(studio, firing)]
    return sorted(plan, key=lambda firing: firing["starts"])


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
        if _may_be_loaded(studio, piece, firing) and piece["size"] <= room:
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


def open_kiln(studio, firing):
    """The pieces come out."""
    stopped = firing["state"] == "stopped"
    if not stopped:
        firing["state"] = "done"
    for piece in studio.pieces_of(firing):
        if stopped:
            wait_again(piece)
        else:
            next_pass(studio, piece)


def cancel_firing(studio, firing):
    if firing["state"] == "planned":
        firing["state"] = "cancelled"
    elif firing["state"] == "firing":
        _stop(studio, firing)
    else:
        raise conflict("firing-over")


def _stop(studio, firing):
    kiln = studio.kiln(firing["kiln"])
    heat = heat_after(kiln, stages_of(studio, firing), studio.now - firing["starts"])
    firing.update(state="stopped", ends=studio.now)
    _set_opening(kiln, firing, heat)
    if opening(firing) == studio.now:
        open_kiln(studio, firing)
