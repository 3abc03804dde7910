"""How hot a kiln is in the course of a firing, and how long that takes."""
from collections import namedtuple

ROOM_HEAT = 20
OPEN_HEAT = 60

Leg = namedtuple("Leg", "start heat rate climb hold")  # climb: minutes until the heat is reached


def legs(kiln, stages):
    """What the kiln makes of the stages of a firing."""
    heat = ROOM_HEAT
    for stage in stages:
        rate = _rate(kiln, stage, heat)
        yield Leg(heat, stage["heat"], rate, _minutes(abs(stage["heat"] - heat), rate),
                  stage["hold"])
        heat = stage["heat"]


def _rate(kiln, stage, heat):
    own = kiln["rate"] if stage["heat"] >= heat else kiln["cooling"]
    return stage["rate"] if own is None else min(own, stage["rate"])


def _minutes(degrees, rate):
    return -(-degrees // rate)


def heating_minutes(kiln, stages):
    return sum(leg.climb + leg.hold for leg in legs(kiln, stages))


def heat_after(kiln, stages, minutes):
    """The heat that the kiln has so many minutes after it was lit."""
    for leg in legs(kiln, stages):
        if minutes < leg.climb:
            step = leg.rate if leg.heat > leg.start else -leg.rate
            return leg.start + step * minutes
        minutes -= leg.climb + leg.hold
        if minutes < 0:
            break
    return leg.heat


def cooling_minutes(kiln, heat):
    """Minutes until a kiln of that heat may be opened."""
    if kiln["cooling"] is None or heat <= OPEN_HEAT:
        return 0
    return _minutes(heat - OPEN_HEAT, kiln["cooling"])
