"""The rules of the line: what may be booked, amended and cancelled, and what time brings."""
from bookings import (OPEN, due_minute, fits, moved, number_of, price, refund, with_places)
from errors import conflict, not_found, stale
from places import Places
from report import report


class Line:
    def __init__(self, store):
        self._store = store
        self._places = Places(store)

    # the clock

    def now(self):
        return self._store.clock

    def set_clock(self, minute):
        if minute < self.now():
            raise conflict("clock-backwards")
        self._let_happen_until(minute)
        self._store.put("clock", minute)

    # versions and changes

    def version(self, thing_id):
        return self._store.versions[thing_id]

    def changes(self, after, limit):
        """The changes that follow one, and the number of the last."""
        changes = self._store.changes
        return changes[after:after + limit], len(changes)

    # looking back

    def as_of(self, seq):
        """The line as it was right after a change."""
        if seq > len(self._store.changes):
            raise not_found("no-such-change")
        return Line(self._store.as_of(seq))

    def at_end_of(self, minute):
        """The line as it was when the clock left a minute."""
        if minute > self.now():
            raise not_found("not-yet")
        return self.as_of(sum(change["at"] <= minute for change in self._store.changes))

    def report(self):
        return report(self._store)

    # sailings

    def add_sailing(self, sailing):
        if sailing["id"] in self._store.sailings:
            raise conflict("sailing-exists")
        self._refuse_past(sailing)
        self._store.put("sailing", sailing, "sailing-added")
        return self.sailing(sailing["id"])

    def sailing(self, sailing_id):
        sailing = self._find_sailing(sailing_id)
        return {**sailing, **_named("free", self._places.free(sailing))}

    def sailings(self, wanted):
        found = [sailing for sailing in self._store.sailings.values() if _has(sailing, wanted)]
        found.sort(key=lambda sailing: (sailing["departs"], sailing["id"]))
        return [self.sailing(sailing["id"]) for sailing in found]

    def amend_sailing(self, sailing_id, version, amendment):
        sailing = self._find_sailing(sailing_id)
        self._refuse_stale(sailing_id, version)
        self._refuse_departed(sailing)
        amended = {**sailing, **amendment}
        self._refuse_past(amended)
        taken = self._places.taken(sailing)
        if not fits(taken, amended):
            raise conflict("taken", **_named("taken", taken))
        if amended != sailing:
            self._store.put("sailing", amended, "sailing-changed")
            self._shorten_holds(amended)
            self._places.serve_waiting(sailing_id)
        return self.sailing(sailing_id)

    # bookings

    def book(self, order):
        sailing = self._find_sailing(order["sailing"])
        self._refuse_departed(sailing)
        booking = {
            "id": "B%d" % (len(self._store.bookings) + 1),
            **{key: order[key] for key in ("sailing", "name", "persons", "metres")},
            "price": price(order, sailing),
            "booked_at": self.now(),
            "state": "waiting",
        }
        if order["hold"] is not None:
            booking["hold"] = order["hold"]
        free = self._places.free(sailing)
        if fits(booking, free):
            booking = with_places(booking, sailing, self.now())
        elif not order["wait"] or not fits(booking, sailing):
            raise conflict("full", **_named("free", free))
        self._store.put("booking", booking, "booking-made")
        return self._shown(booking)

    def booking(self, booking_id):
        return self._shown(self._find_booking(booking_id))

    def bookings_of(self, sailing_id, wanted):
        self._find_sailing(sailing_id)
        return [self._shown(booking) for booking in self._store.bookings_on(sailing_id)
                if _has(booking, wanted)]

    def waiting_list(self, sailing_id):
        return self.bookings_of(sailing_id, {"state": "waiting"})

    def page(self, wanted, before, limit):
        """Bookings from the newest on, and the number of the last one if there are more."""
        if "sailing" in wanted:
            self._find_sailing(wanted["sailing"])
        found = [booking for booking in reversed(list(self._store.bookings.values()))
                 if _has(booking, wanted) and (before is None or number_of(booking) < before)]
        page = [self._shown(booking) for booking in found[:limit]]
        return page, number_of(page[-1]) if len(found) > limit else None

    def confirm(self, booking_id, version):
        booking = self._find_booking(booking_id)
        self._refuse_stale(booking_id, version)
        if booking["state"] != "held":
            raise conflict("not-held")
        self._store.put("booking", moved(booking, "booked"), "booking-confirmed")
        return self.booking(booking_id)

    def cancel(self, booking_id, version):
        booking = self._find_booking(booking_id)
        self._refuse_stale(booking_id, version)
        if booking["state"] == "cancelled":
            raise conflict("already-cancelled")
        sailing = self._sailing_if_open(booking)
        paid_back = refund(booking, sailing, self.now())
        self._store.put("booking", moved(booking, "cancelled", refund=paid_back),
                        "booking-cancelled")
        self._places.serve_waiting(booking["sailing"])
        return self.booking(booking_id)

    def amend_booking(self, booking_id, version, amendment):
        booking = self._find_booking(booking_id)
        self._refuse_stale(booking_id, version)
        sailing = self._sailing_if_open(booking)
        amended = {**booking, **amendment}
        free = self._places.free(sailing, without=booking_id)
        if not fits(amended, sailing if booking["state"] == "waiting" else free):
            raise conflict("full", **_named("free", free))
        if amended != booking:
            if not _has(booking, {key: amended[key] for key in ("persons", "metres")}):
                amended["price"] = price(amended, sailing)
            self._store.put("booking", amended, "booking-changed")
            self._places.serve_waiting(booking["sailing"])
        return self.booking(booking_id)

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
        return due_minute(booking, self._sailing_of(booking))

    def _fall_due(self, booking):
        if booking["state"] == "waiting":
            self._store.put("booking", moved(booking, "missed"), "booking-missed")
        else:
            lapsed = moved(booking, "lapsed", lapsed_at=self.now())
            self._store.put("booking", lapsed, "booking-lapsed")
            self._places.serve_waiting(booking["sailing"])

    def _shorten_holds(self, sailing):
        for booking in self._store.bookings_on(sailing["id"]):
            if booking.get("held_until", 0) > sailing["departs"]:
                shortened = {**booking, "held_until": sailing["departs"]}
                self._store.put("booking", shortened, "booking-changed")

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

    def _sailing_if_open(self, booking):
        """The sailing of a booking that can still be changed."""
        if booking["state"] not in OPEN:
            raise conflict("not-open")
        sailing = self._sailing_of(booking)
        self._refuse_departed(sailing)
        return sailing

    def _refuse_stale(self, thing_id, version):
        if version is not None and version != self.version(thing_id):
            raise stale(self.version(thing_id))

    def _refuse_departed(self, sailing):
        if self.now() >= sailing["departs"]:
            raise conflict("departed")

    def _refuse_past(self, sailing):
        if sailing["departs"] <= self.now():
            raise conflict("in-the-past")

    def _shown(self, booking):
        if booking["state"] != "waiting":
            return booking
        waiting = [other["id"] for other in self._places.waiting(booking["sailing"])]
        return {**booking, "position": waiting.index(booking["id"]) + 1}


def _has(thing, wanted):
    return all(thing[key] == value for key, value in wanted.items())


def _named(prefix, counts):
    return {prefix + "_" + kind: count for kind, count in counts.items()}
