"""The report of the accountant, over a state and the records that made it so."""
from collections import Counter

from bookings import TAKES_PLACES


def report(state):
    kept = _kept_of_cancelled(state.history)
    order = sorted(state.sailings.values(), key=lambda sailing: (sailing["departs"], sailing["id"]))
    rows = [_row(sailing["id"], state.bookings_on(sailing["id"]), kept) for sailing in order]
    return {"at": len(state.history), "income": sum(row["income"] for row in rows),
            "sailings": rows}


def _row(sailing_id, bookings, kept):
    row = {"id": sailing_id}
    for status in TAKES_PLACES:
        for kind in ("persons", "metres"):
            row[status + "_" + kind] = sum(
                booking[kind] for booking in bookings if booking["state"] == status)
    row["waiting"] = sum(booking["state"] == "waiting" for booking in bookings)
    row["income"] = kept[sailing_id] + sum(
        booking["price"] for booking in bookings if booking["state"] == "booked")
    return row


def _kept_of_cancelled(history):
    """What was not paid back, by sailing: only who had booked had paid."""
    kept = Counter()
    before = {}
    for kind, value, what in history:
        if what == "booking-cancelled" and before[value["id"]]["state"] == "booked":
            kept[value["sailing"]] += value["price"] - value["refund"]
        if kind == "booking":
            before[value["id"]] = value
    return kept
