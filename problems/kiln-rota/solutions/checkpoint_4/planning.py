"""A kiln's time: what takes it, whether it is free, and when it is free the soonest."""
from errors import conflict
from leases import foreign_leases
from heating import cooling_minutes, heating_minutes


def stages_of(studio, firing):
    if "programme" in firing:
        return studio.programme(firing["programme"])["stages"]
    rate = studio.kiln(firing["kiln"])["rate"]
    return [{"heat": firing["heat"], "rate": rate, "hold": firing["hold"]}]


def set_times(studio, firing):
    """When the firing ends and is opened, if it starts when it says."""
    kiln = studio.kiln(firing["kiln"])
    stages = stages_of(studio, firing)
    firing["ends"] = firing["starts"] + heating_minutes(kiln, stages)
    set_opening(kiln, firing, stages[-1]["heat"])


def set_opening(kiln, firing, heat):
    """`opens` stays without a value where a kiln need not cool down."""
    has_cooling = kiln["cooling"] is not None
    firing["opens"] = firing["ends"] + cooling_minutes(kiln, heat) if has_cooling else None


def opening(firing):
    """The minute from which the kiln can be used again."""
    return firing["ends"] if firing["opens"] is None else firing["opens"]


def is_hot(studio, firing):
    """Whether the firing has its kiln, and pieces in it, at present."""
    return (firing["state"] in ("firing", "cooling")
            or firing["state"] == "stopped" and opening(firing) > studio.now)


def plan_of(studio, kiln):
    """The firings that take the kiln's time, the earliest first."""
    plan = [firing for firing in studio.firings_of(kiln)
            if firing["state"] == "planned" or is_hot(studio, firing)]
    return sorted(plan, key=lambda firing: firing["starts"])


def hot_firing(studio, kiln):
    """The firing that the kiln has in it at present, if any."""
    return next((firing for firing in studio.firings_of(kiln) if is_hot(studio, firing)), None)


def busy_with(studio, kiln, first, last):
    """The firings that take the kiln between two minutes, the earliest first."""
    return [firing for firing in plan_of(studio, kiln)
            if first < opening(firing) and firing["starts"] < last]


def refuse_impossible(studio, firing):
    kiln = studio.kiln(firing["kiln"])
    if kiln["id"] in studio.broken:
        raise conflict("kiln-broken")
    if firing["starts"] < studio.now:
        raise conflict("in-the-past")
    if firing["heat"] > kiln["max_heat"]:
        raise conflict("too-hot", max_heat=kiln["max_heat"])
    for lease in foreign_leases(studio, firing, opening(firing)):
        raise conflict("leased", lease=lease["id"])
    for other in busy_with(studio, kiln, firing["starts"], opening(firing)):
        raise conflict("kiln-busy", until=opening(other))


def move(studio, firing):
    """Moves a firing to where it can start the soonest; says whether there was a kiln for it."""
    drafts = [_soonest(studio, firing, kiln) for kiln in studio.kilns.values()
              if kiln["id"] not in studio.broken and kiln["max_heat"] >= firing["heat"]]
    if not drafts:
        return False
    best = min(drafts, key=lambda draft: (draft["starts"], draft["kiln"]))
    firing.update(best, state="planned", moves=(firing["moves"] or 0) + 1)
    studio.note("firing-moved", firing, kiln=firing["kiln"], starts=firing["starts"])
    return True


def _soonest(studio, firing, kiln):
    draft = {**firing, "kiln": kiln["id"], "starts": max(firing["starts"], studio.now)}
    while True:
        set_times(studio, draft)
        ends = [lease["to"] for lease in foreign_leases(studio, draft, opening(draft))]
        ends += [opening(other)
                 for other in busy_with(studio, kiln, draft["starts"], opening(draft))]
        if not ends:
            return draft
        draft["starts"] = min(ends)
