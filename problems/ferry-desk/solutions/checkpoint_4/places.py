"""The places of the sailings: who takes them, what is free, and who waits for them."""
from bookings import TAKES_PLACES, fits, with_places

KINDS = ("persons", "metres")


class Places:
    def __init__(self, store):
        self._store = store

    def taken(self, sailing, without=None):
        """What is taken by the bookings of a sailing, not counting one of them."""
        takers = [booking for booking in self._store.bookings_on(sailing["id"])
                  if booking["state"] in TAKES_PLACES and booking["id"] != without]
        return {kind: sum(booking[kind] for booking in takers) for kind in KINDS}

    def free(self, sailing, without=None):
        taken = self.taken(sailing, without)
        return {kind: sailing[kind] - taken[kind] for kind in KINDS}

    def waiting(self, sailing_id):
        return [booking for booking in self._store.bookings_on(sailing_id)
                if booking["state"] == "waiting"]

    def serve_waiting(self, sailing_id):
        """Goes through the waiting list once, and promotes what fits."""
        sailing, now = self._store.sailings[sailing_id], self._store.clock
        if now >= sailing["departs"]:
            return
        for booking in self.waiting(sailing_id):
            if fits(booking, self.free(sailing)):
                promoted = {**with_places(booking, sailing, now), "promoted_at": now}
                self._store.put("booking", promoted, "booking-promoted")
