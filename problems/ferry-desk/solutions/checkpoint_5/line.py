"""The rules of the line: what may be booked, amended, cancelled and withdrawn."""
from bookings import (OPEN, fits, has, legs_of, moved, number_of, priced, refund, with_places)
from errors import conflict, not_found, stale
from places import Places
from report import report
from timeline import Timeline


class Line:
    def __init__(self, store):
        self._store = store
        self._places = Places(store)
        self._timeline = Timeline(store, self._places)

    # the clock

    def now(self):
        return self._store.clock

    def set_clock(self, minute):
        if minute < self.now():
            raise conflict("clock-backwards")
        self._timeline.go_to(minute)

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
        self._refuse_past(sailing["departs"])
        self._store.put("sailing", sailing, "sailing-added")
        return self.sailing(sailing["id"])

    def sailing(self, sailing_id):
        sailing = self._find_sailing(sailing_id)
        return {**sailing, **_named("free", self._places.free(sailing))}

    def sailings(self, wanted):
        found = [sailing for sailing in self._store.sailings.values()
                 if all(sailing[key] == value for key, value in wanted.items())]
        found.sort(key=lambda sailing: (sailing["departs"], sailing["id"]))
        return [self.sailing(sailing["id"]) for sailing in found]

    def amend_sailing(self, sailing_id, version, amendment):
        sailing = self._find_sailing(sailing_id)
        self._refuse_stale(sailing_id, version)
        self._refuse_out_of_service([sailing])
        amended = {**sailing, **amendment}
        self._refuse_past(amended["departs"])
        taken = self._places.taken(sailing)
        if not fits(taken, amended):
            raise conflict("taken", **_named("taken", taken))
        if amended != sailing:
            self._store.put("sailing", amended, "sailing-changed")
            self._shorten_holds(sailing_id)
            self._places.serve_waiting()
        return self.sailing(sailing_id)

    def withdraw(self, sailing_id, version):
        sailing = self._find_sailing(sailing_id)
        self._refuse_stale(sailing_id, version)
        if "withdrawn_at" in sailing:
            raise conflict("already-withdrawn")
        self._refuse_out_of_service([sailing])
        self._store.put("sailing", {**sailing, "withdrawn_at": self.now()}, "sailing-withdrawn")
        for booking in self._store.bookings_on(sailing_id):
            if booking["state"] in OPEN:
                paid_back = booking["price"] if booking["state"] == "booked" else 0
                self._store.put("booking", moved(booking, "withdrawn", refund=paid_back),
                                "booking-withdrawn")
        self._places.serve_waiting()
        return self.sailing(sailing_id)

    def plan_fares(self, sailing_id, fares):
        sailing = self._find_sailing(sailing_id)
        self._refuse_out_of_service([sailing])
        self._refuse_past(fares["from"])
        if fares["from"] >= sailing["departs"]:
            raise conflict("after-departure")
        others = [plan for plan in self.planned_fares(sailing_id) if plan["from"] != fares["from"]]
        plan = sorted(others + [fares], key=lambda fares: fares["from"])
        self._store.put("plan", {"id": sailing_id, "fares": plan})
        return plan

    def planned_fares(self, sailing_id):
        self._find_sailing(sailing_id)
        return self._store.plans.get(sailing_id, {"fares": []})["fares"]

    # bookings

    def book(self, order):
        sailings = [self._find_sailing(leg) for leg in legs_of(order)]
        _refuse_gaps(sailings)
        self._refuse_out_of_service(sailings)
        booking = priced({
            "id": "B%d" % (len(self._store.bookings) + 1),
            **{key: order[key] for key in ("sailing", "legs", "name", "persons", "metres", "hold")
               if order[key] is not None},
            "booked_at": self.now(),
            "state": "waiting",
        }, sailings)
        lacking = self._places.lacking(booking)
        if lacking is None:
            booking = with_places(booking, self._places.departure(booking), self.now())
        elif not order["wait"] or not self._places.could_fit(booking):
            raise self._full(booking, lacking)
        self._store.put("booking", booking, "booking-made")
        return self._shown(booking)

    def booking(self, booking_id):
        return self._shown(self._find_booking(booking_id))

    def bookings_of(self, sailing_id, wanted):
        self._find_sailing(sailing_id)
        return [self._shown(booking) for booking in self._store.bookings_on(sailing_id)
                if has(booking, wanted)]

    def waiting_list(self, sailing_id):
        return self.bookings_of(sailing_id, {"state": "waiting"})

    def page(self, wanted, before, limit):
        """Bookings from the newest on, and the number of the last one if there are more."""
        if "sailing" in wanted:
            self._find_sailing(wanted["sailing"])
        found = [booking for booking in reversed(list(self._store.bookings.values()))
                 if has(booking, wanted) and (before is None or number_of(booking) < before)]
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
        self._refuse_closed(booking)
        paid_back = refund(booking, self._places.departure(booking), self.now())
        self._store.put("booking", moved(booking, "cancelled", refund=paid_back),
                        "booking-cancelled")
        self._places.serve_waiting()
        return self.booking(booking_id)

    def amend_booking(self, booking_id, version, amendment):
        booking = self._find_booking(booking_id)
        self._refuse_stale(booking_id, version)
        self._refuse_closed(booking)
        amended = {**booking, **amendment}
        lacking = self._places.lacking(amended)
        if lacking and (booking["state"] != "waiting" or not self._places.could_fit(amended)):
            raise self._full(amended, lacking)
        if amended != booking:
            if any(amended[kind] != booking[kind] for kind in ("persons", "metres")):
                amended = priced(amended, self._places.sailings_of(amended))
            self._store.put("booking", amended, "booking-changed")
            self._places.serve_waiting()
        return self.booking(booking_id)

    # inside

    def _find_sailing(self, sailing_id):
        if sailing_id not in self._store.sailings:
            raise not_found("no-such-sailing")
        return self._store.sailings[sailing_id]

    def _find_booking(self, booking_id):
        if booking_id not in self._store.bookings:
            raise not_found("no-such-booking")
        return self._store.bookings[booking_id]

    def _refuse_stale(self, thing_id, version):
        if version is not None and version != self.version(thing_id):
            raise stale(self.version(thing_id))

    def _refuse_out_of_service(self, sailings):
        if any("withdrawn_at" in sailing for sailing in sailings):
            raise conflict("withdrawn")
        if any(self.now() >= sailing["departs"] for sailing in sailings):
            raise conflict("departed")

    def _refuse_closed(self, booking):
        if booking["state"] not in OPEN:
            raise conflict("not-open")
        self._refuse_out_of_service(self._places.sailings_of(booking))

    def _refuse_past(self, minute):
        if minute <= self.now():
            raise conflict("in-the-past")

    def _full(self, booking, sailing):
        free = _named("free", self._places.free(sailing, without=booking["id"]))
        return conflict("full", **free, **({"sailing": sailing["id"]} if "legs" in booking else {}))

    def _shorten_holds(self, sailing_id):
        for booking in self._store.bookings_on(sailing_id):
            departure = self._places.departure(booking)
            if booking["state"] == "held" and booking["held_until"] > departure:
                self._store.put("booking", {**booking, "held_until": departure}, "booking-changed")

    def _shown(self, booking):
        if booking["state"] != "waiting":
            return booking
        positions = [1 + [other["id"] for other in self._places.waiting(leg)].index(booking["id"])
                     for leg in legs_of(booking)]
        if "legs" in booking:
            return {**booking, "positions": positions}
        return {**booking, "position": positions[0]}


def _refuse_gaps(sailings):
    for one, following in zip(sailings, sailings[1:]):
        if one["to"] != following["from"] or one["departs"] >= following["departs"]:
            raise conflict("no-connection")


def _named(prefix, counts):
    return {prefix + "_" + kind: count for kind, count in counts.items()}
