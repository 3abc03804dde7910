"""Kilns that break and are repaired, and what becomes of their firings."""
from errors import conflict
from firing import open_kiln, start
from planning import hot_firing, move, plan_of


def break_kiln(studio, kiln):
    if kiln["id"] in studio.broken:
        raise conflict("kiln-broken")
    studio.broken.add(kiln["id"])
    studio.note("kiln-broken", kiln)
    firing = hot_firing(studio, kiln)
    if firing is not None:
        _open_at_once(studio, firing)
    for planned in plan_of(studio, kiln):
        if not move(studio, planned):
            planned["state"] = "stranded"
            studio.note("firing-stranded", planned)


def _open_at_once(studio, firing):
    if firing["state"] == "firing":
        firing.update(state="failed", ends=studio.now)
    if firing["opens"] is not None:
        firing["opens"] = studio.now
    open_kiln(studio, firing)


def repair_kiln(studio, kiln):
    if kiln["id"] not in studio.broken:
        raise conflict("not-broken")
    studio.broken.remove(kiln["id"])
    studio.note("kiln-repaired", kiln)
    move_stranded(studio)


def move_stranded(studio):
    """There is a kiln more: what waited for one gets its turn."""
    stranded = [firing for firing in studio.firings.values() if firing["state"] == "stranded"]
    moved = [firing for firing in stranded if move(studio, firing)]
    for firing in moved:
        if firing["starts"] == studio.now:
            start(studio, firing)
