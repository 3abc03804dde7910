"""What time brings: fares that were planned, holds that end, departures that are missed."""
from bookings import moved

FARES, BOOKINGS = range(2)


class Timeline:
    def __init__(self, store, places):
        self._store = store
        self._places = places

    def go_to(self, minute):
        """Each thing that falls due happens with the clock at its own minute."""
        while True:
            due = min(self._due(), default=None)
            if due is None or due[0] > minute:
                break
            due_minute, what, thing_id = due[0], due[1], due[-1]
            self._store.put("clock", due_minute)
            if what == FARES:
                self._set_planned_fares(thing_id)
            else:
                self._end_waiting_or_hold(self._store.bookings[thing_id])
        self._store.put("clock", minute)

    def _due(self):
        """All that is due some time, as (minute, kind, order within the minute, id)."""
        for sailing_id, plan in self._store.plans.items():
            for fares in plan["fares"]:
                yield fares["from"], FARES, sailing_id, sailing_id
        for order, booking in enumerate(self._store.bookings.values()):
            if booking["state"] == "waiting":
                yield self._places.departure(booking), BOOKINGS, order, booking["id"]
            elif booking["state"] == "held":
                yield booking["held_until"], BOOKINGS, order, booking["id"]

    def _set_planned_fares(self, sailing_id):
        fares, *later = self._store.plans[sailing_id]["fares"]
        self._store.put("plan", {"id": sailing_id, "fares": later})
        sailing = self._store.sailings[sailing_id]
        if "withdrawn_at" in sailing or sailing["departs"] <= fares["from"]:
            return
        changed = {**sailing, "person_fare": fares["person_fare"],
                   "metre_fare": fares["metre_fare"]}
        if changed != sailing:
            self._store.put("sailing", changed, "sailing-changed")

    def _end_waiting_or_hold(self, booking):
        if booking["state"] == "waiting":
            self._store.put("booking", moved(booking, "missed"), "booking-missed")
        else:
            lapsed = moved(booking, "lapsed", lapsed_at=self._store.clock)
            self._store.put("booking", lapsed, "booking-lapsed")
            self._places.serve_waiting()
