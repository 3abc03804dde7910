"""The rules of the line: what may be booked and cancelled, and what it costs."""
from errors import conflict, not_found

FULL_REFUND_MINUTES = 1440


class Line:
    def __init__(self, store):
        self._store = store

    # the clock

    def now(self):
        return self._store.clock

    def set_clock(self, minute):
        if minute < self.now():
            raise conflict("clock-backwards")
        self._store.commit(["clock", minute])

    # sailings

    def add_sailing(self, sailing):
        if sailing["id"] in self._store.sailings:
            raise conflict("sailing-exists")
        if sailing["departs"] <= self.now():
            raise conflict("in-the-past")
        self._store.commit(["sailing", sailing])
        return self._with_free_places(sailing)

    def sailing(self, sailing_id):
        return self._with_free_places(self._find_sailing(sailing_id))

    def sailings(self, wanted):
        found = [sailing for sailing in self._store.sailings.values()
                 if all(sailing[key] == value for key, value in wanted.items())]
        found.sort(key=lambda sailing: (sailing["departs"], sailing["id"]))
        return [self._with_free_places(sailing) for sailing in found]

    # bookings

    def book(self, order):
        sailing = self._find_sailing(order["sailing"])
        self._refuse_departed(sailing)
        free = self._free_places(sailing)
        if order["persons"] > free["free_persons"] or order["metres"] > free["free_metres"]:
            raise conflict("full", **free)
        booking = {
            "id": "B%d" % (len(self._store.bookings) + 1),
            **order,
            "price": (order["persons"] * sailing["person_fare"]
                      + order["metres"] * sailing["metre_fare"]),
            "booked_at": self.now(),
            "state": "booked",
        }
        self._store.commit(["booking", booking])
        return booking

    def booking(self, booking_id):
        if booking_id not in self._store.bookings:
            raise not_found("no-such-booking")
        return self._store.bookings[booking_id]

    def bookings_of(self, sailing_id, wanted):
        self._find_sailing(sailing_id)
        return [booking for booking in self._bookings_on(sailing_id)
                if all(booking[key] == value for key, value in wanted.items())]

    def cancel(self, booking_id):
        booking = self.booking(booking_id)
        if booking["state"] == "cancelled":
            raise conflict("already-cancelled")
        sailing = self._find_sailing(booking["sailing"])
        self._refuse_departed(sailing)
        cancelled = {**booking, "state": "cancelled", "refund": self._refund(booking, sailing)}
        self._store.commit(["booking", cancelled])
        return cancelled

    # inside

    def _find_sailing(self, sailing_id):
        if sailing_id not in self._store.sailings:
            raise not_found("no-such-sailing")
        return self._store.sailings[sailing_id]

    def _refuse_departed(self, sailing):
        if self.now() >= sailing["departs"]:
            raise conflict("departed")

    def _bookings_on(self, sailing_id):
        return [booking for booking in self._store.bookings.values()
                if booking["sailing"] == sailing_id]

    def _free_places(self, sailing):
        taken = [booking for booking in self._bookings_on(sailing["id"])
                 if booking["state"] == "booked"]
        return {"free_" + kind: sailing[kind] - sum(booking[kind] for booking in taken)
                for kind in ("persons", "metres")}

    def _with_free_places(self, sailing):
        return {**sailing, **self._free_places(sailing)}

    def _refund(self, booking, sailing):
        if sailing["departs"] - self.now() >= FULL_REFUND_MINUTES:
            return booking["price"]
        return booking["price"] // 2
