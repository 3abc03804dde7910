"""Pieces: how they are booked, changed and called off, and which comes first."""
from errors import conflict

NEVER = float("inf")


def book(studio, order):
    _refuse_past(studio, order["due"])
    piece = {"id": "P%d" % (len(studio.pieces) + 1), **order,
             "booked_at": studio.now, "state": "waiting"}
    studio.pieces[piece["id"]] = piece
    return piece


def load_order(piece):
    """The key by which the stoker goes through the pieces."""
    due = NEVER if piece["due"] is None else piece["due"]
    return piece["rank"], due, int(piece["id"][1:])


def change(studio, piece, changes):
    refuse_unless_waiting(piece)
    _refuse_past(studio, changes.get("due"))
    piece.update(changes)


def cancel_piece(piece):
    refuse_unless_waiting(piece)
    piece["state"] = "cancelled"


def refuse_unless_waiting(piece):
    if piece["state"] == "firing":
        raise conflict("in-the-fire")
    if piece["state"] != "waiting":
        raise conflict("piece-over")


def _refuse_past(studio, due):
    if due is not None and due <= studio.now:
        raise conflict("in-the-past")
