"""Moves the clock: everything happens at its own minute, and within a minute in a fixed order."""
from firing import finish, start


def move_clock(studio, minutes):
    target = studio.now + minutes
    while True:
        coming = [minute for minute in _minutes(studio) if minute <= target]
        if not coming:
            break
        studio.now = min(coming)
        _play_minute(studio)
    studio.now = target


def _minutes(studio):
    """The minutes at which something that is known now will happen."""
    for firing in studio.firings.values():
        if firing["state"] == "firing":
            yield firing["ends"]
        elif firing["state"] == "planned":
            yield firing["starts"]
    for piece in studio.pieces.values():
        if piece["state"] == "waiting" and piece["due"] is not None:
            yield piece["due"]


def _play_minute(studio):
    for firing in studio.firings.values():
        if firing["state"] == "firing" and firing["ends"] == studio.now:
            finish(studio, firing)
    for piece in studio.pieces.values():
        if piece["state"] == "waiting" and piece["due"] == studio.now:
            piece["state"] = "missed"
    for firing in studio.firings.values():
        if firing["state"] == "planned" and firing["starts"] == studio.now:
            start(studio, firing)
