"""The rules of the line: what may be booked and cancelled, what it costs, and what time brings."""
from errors import conflict, not_found

FULL_REFUND_MINUTES = 1440
TAKES_PLACES = ("booked", "held")
STATES = ("booked", "held", "waiting", "cancelled", "lapsed", "missed")


class Line:
    def __init__(self, store):
        self._store = store

    # the clock

    def now(self):
        return self._store.clock

    def set_clock(self, minute):
        if minute < self.now():
            raise conflict("clock-backwards")
        self._let_happen_until(minute)
        self._store.put("clock", minute)

    # sailings

    def add_sailing(self, sailing):
        if sailing["id"] in self._store.sailings:
            raise conflict("sailing-exists")
        if sailing["departs"] <= self.now():
            raise conflict("in-the-past")
        self._store.put("sailing", sailing)
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
        booking = {
            "id": "B%d" % (len(self._store.bookings) + 1),
            **{key: order[key] for key in ("sailing", "name", "persons", "metres")},
            "price": (order["persons"] * sailing["person_fare"]
                      + order["metres"] * sailing["metre_fare"]),
            "booked_at": self.now(),
            "state": "waiting",
        }
        if order["hold"] is not None:
            booking["hold"] = order["hold"]
        free = self._free_places(sailing)
        if _fits(booking, free):
            booking = self._with_places(booking)
        elif not order["wait"] or not _fits(booking, _all_places(sailing)):
            raise conflict("full", **free)
        self._store.put("booking", booking)
        return self._shown(booking)

    def booking(self, booking_id):
        return self._shown(self._find_booking(booking_id))

    def bookings_of(self, sailing_id, wanted):
        self._find_sailing(sailing_id)
        return [self._shown(booking) for booking in self._store.bookings_on(sailing_id)
                if all(booking[key] == value for key, value in wanted.items())]

    def waiting_list(self, sailing_id):
        return self.bookings_of(sailing_id, {"state": "waiting"})

    def confirm(self, booking_id):
        booking = self._find_booking(booking_id)
        if booking["state"] != "held":
            raise conflict("not-held")
        return self._move(booking, "booked")

    def cancel(self, booking_id):
        booking = self._find_booking(booking_id)
        if booking["state"] == "cancelled":
            raise conflict("already-cancelled")
        if booking["state"] in ("lapsed", "missed"):
            raise conflict("not-open")
        self._refuse_departed(self._sailing_of(booking))
        cancelled = self._move(booking, "cancelled", refund=self._refund(booking))
        self._serve_waiting(booking["sailing"])
        return cancelled

    # what time brings

    def _let_happen_until(self, minute):
        """Each thing that falls due happens with the clock at its own minute."""
        while True:
            due = [booking for booking in self._store.bookings.values()
                   if self._due_minute(booking) is not None]
            booking = min(due, key=self._due_minute, default=None)
            if booking is None or self._due_minute(booking) > minute:
                return
            self._store.put("clock", self._due_minute(booking))
            self._fall_due(booking)

    def _due_minute(self, booking):
        if booking["state"] == "waiting":
            return self._sailing_of(booking)["departs"]
        return booking.get("held_until")

    def _fall_due(self, booking):
        if booking["state"] == "waiting":
            self._move(booking, "missed")
        else:
            self._move(booking, "lapsed", lapsed_at=self.now())
            self._serve_waiting(booking["sailing"])

    def _serve_waiting(self, sailing_id):
        sailing = self._find_sailing(sailing_id)
        if self.now() >= sailing["departs"]:
            return
        for booking in self._store.bookings_on(sailing_id):
            if booking["state"] == "waiting" and _fits(booking, self._free_places(sailing)):
                promoted = {**self._with_places(booking), "promoted_at": self.now()}
                self._store.put("booking", promoted)

    # inside

    def _find_sailing(self, sailing_id):
        if sailing_id not in self._store.sailings:
            raise not_found("no-such-sailing")
        return self._store.sailings[sailing_id]

    def _find_booking(self, booking_id):
        if booking_id not in self._store.bookings:
            raise not_found("no-such-booking")
        return self._store.bookings[booking_id]

    def _sailing_of(self, booking):
        return self._store.sailings[booking["sailing"]]

    def _refuse_departed(self, sailing):
        if self.now() >= sailing["departs"]:
            raise conflict("departed")

    def _move(self, booking, state, **more):
        """Brings a booking into a state; its hold, if it had one, is over."""
        moved = {**booking, "state": state, **more}
        moved.pop("held_until", None)
        self._store.put("booking", moved)
        return self._shown(moved)

    def _with_places(self, booking):
        """The booking as it is when it gets its places now."""
        if "hold" not in booking:
            return {**booking, "state": "booked"}
        until = min(self.now() + booking["hold"], self._sailing_of(booking)["departs"])
        return {**booking, "state": "held", "held_until": until}

    def _shown(self, booking):
        if booking["state"] != "waiting":
            return booking
        earlier = [other for other in self._store.bookings_on(booking["sailing"])
                   if other["state"] == "waiting" and _number(other) < _number(booking)]
        return {**booking, "position": len(earlier) + 1}

    def _free_places(self, sailing):
        taken = [booking for booking in self._store.bookings_on(sailing["id"])
                 if booking["state"] in TAKES_PLACES]
        return {"free_" + kind: sailing[kind] - sum(booking[kind] for booking in taken)
                for kind in ("persons", "metres")}

    def _with_free_places(self, sailing):
        return {**sailing, **self._free_places(sailing)}

    def _refund(self, booking):
        if booking["state"] != "booked":
            return 0
        if self._sailing_of(booking)["departs"] - self.now() >= FULL_REFUND_MINUTES:
            return booking["price"]
        return booking["price"] // 2


def _number(booking):
    return int(booking["id"][1:])


def _fits(booking, free):
    return booking["persons"] <= free["free_persons"] and booking["metres"] <= free["free_metres"]


def _all_places(sailing):
    return {"free_persons": sailing["persons"], "free_metres": sailing["metres"]}
