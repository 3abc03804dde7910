"""Series: firings that come again and again, each planned some time before its start."""
from errors import Refusal, conflict
from firing import cancel_firing, fire, heat_of

LEAD = 1440


def add_series(studio, order):
    kiln = studio.kiln(order["kiln"])
    heat = heat_of(studio, order)
    if order["start"] <= studio.now:
        raise conflict("in-the-past")
    if heat["heat"] > kiln["max_heat"]:
        raise conflict("too-hot", max_heat=kiln["max_heat"])
    series = {"id": "S%d" % (len(studio.series) + 1), **order, **heat,
              "state": "running", "settled": 0, "next": order["start"]}
    studio.series[series["id"]] = series
    studio.note("series-added", series)
    settle(studio, series)
    return series


def due_minute(series):
    """The minute at which the next firing is to be planned."""
    return series["next"] - LEAD


def settle(studio, series):
    """Plans or skips all firings that are due for it."""
    while series["state"] == "running" and due_minute(series) <= studio.now:
        _plan_or_skip(studio, series)
        series["settled"] += 1
        series["next"] += series["every"]
        _close_if_settled(series)


def _plan_or_skip(studio, series):
    number = series["settled"] + 1
    order = {"programme": None, **series, "start": series["next"],
             "series": series["id"], "number": number}
    if order["start"] > studio.now:
        try:
            fire(studio, order)
            return
        except Refusal:
            pass  # the kiln cannot be had: as if its minute had passed
    studio.note("series-skipped", series, number=number)


def _close_if_settled(series):
    if series["settled"] == series["times"]:
        series.update(state="done", next=None)


def change_series(studio, series, changes):
    _refuse_over(series)
    times = changes.get("times")
    if times is not None and times < series["settled"]:
        raise conflict("too-few", settled=series["settled"])
    if series["settled"]:
        series["next"] += changes.get("every", series["every"]) - series["every"]
    series.update(changes)
    studio.note("series-changed", series)
    _close_if_settled(series)
    settle(studio, series)


def cancel_series(studio, series):
    _refuse_over(series)
    series.update(state="cancelled", next=None)
    studio.note("series-cancelled", series)
    for firing in studio.firings.values():
        if firing["series"] == series["id"] and firing["state"] in ("planned", "stranded"):
            cancel_firing(studio, firing)


def _refuse_over(series):
    if series["state"] != "running":
        raise conflict("series-over")
