"""Moves the clock: everything happens at its own minute, and within a minute in a fixed order."""
from firing import end_heat, open_kiln, start
from pieces import has_dried, is_open, miss
from planning import is_hot, opening
from series import due_minute, settle


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
        yield from _minutes_of_firing(studio, firing)
    for piece in studio.pieces.values():
        yield from _minutes_of_piece(piece)
    for series in studio.series.values():
        if series["state"] == "running":
            yield due_minute(series)


def _minutes_of_firing(studio, firing):
    if firing["state"] == "planned":
        yield firing["starts"]
    elif firing["state"] == "firing":
        yield firing["ends"]
    elif is_hot(studio, firing):
        yield opening(firing)


def _minutes_of_piece(piece):
    if piece["state"] == "drying":
        yield piece["ready_at"]
    if is_open(piece) and piece["due"] is not None:
        yield piece["due"]


def _play_minute(studio):
    for phase in (_end_heats, _open_kilns, _dry_pieces, _miss_pieces, _start_firings,
                  _settle_series):
        phase(studio)


def _end_heats(studio):
    for firing in studio.firings.values():
        if firing["state"] == "firing" and firing["ends"] == studio.now:
            end_heat(studio, firing)


def _open_kilns(studio):
    for firing in studio.firings.values():
        if firing["state"] in ("cooling", "stopped") and opening(firing) == studio.now:
            open_kiln(studio, firing)


def _dry_pieces(studio):
    for piece in studio.pieces.values():
        if piece["state"] == "drying" and piece["ready_at"] == studio.now:
            has_dried(studio, piece)


def _miss_pieces(studio):
    for piece in studio.pieces.values():
        if is_open(piece) and piece["due"] == studio.now:
            miss(studio, piece)


def _start_firings(studio):
    for firing in studio.firings.values():
        if firing["state"] == "planned" and firing["starts"] == studio.now:
            start(studio, firing)


def _settle_series(studio):
    for series in studio.series.values():
        settle(studio, series)
