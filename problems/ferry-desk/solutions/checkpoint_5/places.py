"""The places of the sailings: who takes them, what is free, and who waits for them."""
from bookings import TAKES_PLACES, fits, legs_of, with_places

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

    def sailings_of(self, booking):
        return [self._store.sailings[leg] for leg in legs_of(booking)]

    def departure(self, booking):
        return min(sailing["departs"] for sailing in self.sailings_of(booking))

    def lacking(self, booking):
        """The first sailing on which a booking does not fit, or None."""
        for sailing in self.sailings_of(booking):
            if not fits(booking, self.free(sailing, without=booking["id"])):
                return sailing
        return None

    def could_fit(self, booking):
        """Whether the booking would fit if nobody else had a place."""
        return all(fits(booking, sailing) for sailing in self.sailings_of(booking))

    def waiting(self, sailing_id):
        return [booking for booking in self._store.bookings_on(sailing_id)
                if booking["state"] == "waiting"]

    def serve_waiting(self):
        """Goes through all that wait once, and promotes what fits."""
        now = self._store.clock
        for booking in list(self._store.bookings.values()):
            if (booking["state"] == "waiting" and now < self.departure(booking)
                    and self.lacking(booking) is None):
                given = with_places(booking, self.departure(booking), now)
                self._store.put("booking", {**given, "promoted_at": now}, "booking-promoted")
