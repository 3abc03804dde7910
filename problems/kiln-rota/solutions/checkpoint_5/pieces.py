"""Pieces: how they are booked, changed and called off, their passes, and which comes first."""
from errors import conflict

NEVER = float("inf")


def book(studio, order):
    if order["after"] is not None:
        studio.piece(order["after"])
    _refuse_past(studio, order["due"])
    piece = {"id": "P%d" % (len(studio.pieces) + 1), **order,
             "booked_at": studio.now, "state": "waiting"}
    studio.pieces[piece["id"]] = piece
    if piece["passes"] is not None:
        piece["passes"] = [{"dry": 0, **one} for one in piece["passes"]]
        _begin_pass(studio, piece, 1)
    studio.note("piece-booked", piece)
    return piece


def _begin_pass(studio, piece, number):
    this = piece["passes"][number - 1]
    piece.update(heat=this["heat"], state="waiting", **{"pass": number})
    if this["dry"]:
        piece.update(state="drying", ready_at=studio.now + this["dry"])


def next_pass(studio, piece):
    """What becomes of a piece that has had its heat."""
    if piece["passes"] is not None and piece["pass"] < len(piece["passes"]):
        _begin_pass(studio, piece, piece["pass"] + 1)
        studio.note("piece-out", piece)
    else:
        piece["state"] = "fired"
        studio.note("piece-fired", piece)


def wait_again(studio, piece):
    piece.update(state="waiting", firing=None)
    studio.note("piece-back", piece)


def has_dried(studio, piece):
    piece.update(state="waiting", ready_at=None)
    studio.note("piece-dried", piece)


def is_open(piece):
    """Whether the piece may still be changed, cancelled and missed."""
    return piece["state"] in ("waiting", "drying")


def load_order(piece):
    """The key by which the stoker goes through the pieces."""
    due = NEVER if piece["due"] is None else piece["due"]
    return piece["rank"], due, int(piece["id"][1:])


def change(studio, piece, changes):
    _refuse_unless_open(piece)
    _refuse_past(studio, changes.get("due"))
    piece.update(changes)
    studio.note("piece-changed", piece)


def cancel_piece(studio, piece):
    _refuse_unless_open(piece)
    _close(studio, piece, "cancelled")


def miss(studio, piece):
    _close(studio, piece, "missed")


def _close(studio, piece, state):
    piece.update(state=state, ready_at=None)
    studio.note("piece-" + state, piece)


def _refuse_unless_open(piece):
    if piece["state"] == "firing":
        raise conflict("in-the-fire")
    if not is_open(piece):
        raise conflict("piece-over")


def _refuse_past(studio, due):
    if due is not None and due <= studio.now:
        raise conflict("in-the-past")
