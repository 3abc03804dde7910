"""The slow model with versions, amendments, a feed and pages."""
from model_2 import Model as Plain
from model_2 import No


class Model(Plain):
    def __init__(self):
        super().__init__()
        self.version = {}
        self.feed = []

    def note(self, what, name):
        self.version[name] = self.version.get(name, 0) + 1
        self.feed.append({"seq": len(self.feed) + 1, "at": self.minute, "what": what, "id": name,
                          "version": self.version[name]})

    def check(self, name, version):
        if version is not None and version != self.version[name]:
            raise No(412, {"error": "stale", "version": self.version[name]})

    def serve(self, s):
        if self.minute >= s["departs"]:
            return
        for t in self.queue(s):
            p, m = self.room(s)
            if t["persons"] <= p and t["metres"] <= m:
                self.give(t)
                t["promoted_at"] = self.minute
                self.note("booking-promoted", t["id"])

    def tick(self):
        self.minute += 1
        for t in self.tickets:
            if t["state"] == "held" and t["held_until"] == self.minute:
                t["state"] = "lapsed"
                t["lapsed_at"] = self.minute
                self.note("booking-lapsed", t["id"])
                self.serve(self.ship(t["sailing"]))
            elif t["state"] == "waiting" and self.ship(t["sailing"])["departs"] == self.minute:
                t["state"] = "missed"
                self.note("booking-missed", t["id"])

    def add_ship(self, s):
        answer = super().add_ship(s)
        self.note("sailing-added", s["id"])
        return answer

    def book(self, o):
        answer = super().book(o)
        self.note("booking-made", answer[1]["id"])
        return answer

    def confirm(self, name, version=None):
        self.ticket(name)
        self.check(name, version)
        answer = super().confirm(name)
        self.note("booking-confirmed", name)
        return answer

    def cancel(self, name, version=None):
        t = self.ticket(name)
        self.check(name, version)
        self.serve = lambda s: None
        try:
            super().cancel(name)
        finally:
            del self.serve
        self.note("booking-cancelled", name)
        self.serve(self.ship(t["sailing"]))
        return 200, self.show(t)

    def amend_ticket(self, name, version, new):
        t = self.ticket(name)
        self.check(name, version)
        if t["state"] not in ("booked", "held", "waiting"):
            raise No(409, {"error": "not-open"})
        s = self.ship(t["sailing"])
        if self.minute >= s["departs"]:
            raise No(409, {"error": "departed"})
        p, m = self.room(s)
        if t["state"] != "waiting":
            p, m = p + t["persons"], m + t["metres"]
        persons, metres = new.get("persons", t["persons"]), new.get("metres", t["metres"])
        most = (s["persons"], s["metres"]) if t["state"] == "waiting" else (p, m)
        if persons > most[0] or metres > most[1]:
            raise No(409, {"error": "full", "free_persons": p, "free_metres": m})
        if (persons, metres, new.get("name", t["name"])) != (t["persons"], t["metres"], t["name"]):
            if (persons, metres) != (t["persons"], t["metres"]):
                t["price"] = s["person_fare"] * persons + s["metre_fare"] * metres
            t.update(new)
            self.note("booking-changed", name)
            self.serve(s)
        return 200, self.show(t)

    def amend_ship(self, name, version, new):
        s = self.ship(name)
        self.check(name, version)
        if self.minute >= s["departs"]:
            raise No(409, {"error": "departed"})
        if new.get("departs", s["departs"]) <= self.minute:
            raise No(409, {"error": "in-the-past"})
        p, m = self.room(s)
        p, m = s["persons"] - p, s["metres"] - m
        if new.get("persons", s["persons"]) < p or new.get("metres", s["metres"]) < m:
            raise No(409, {"error": "taken", "taken_persons": p, "taken_metres": m})
        if any(s[k] != v for k, v in new.items()):
            s.update(new)
            self.note("sailing-changed", name)
            for t in self.tickets:
                if t["sailing"] == name and t["state"] == "held" and t["held_until"] > s["departs"]:
                    t["held_until"] = s["departs"]
                    self.note("booking-changed", t["id"])
            self.serve(s)
        return 200, self.show_ship(s)

    def all(self):
        return 200, {"bookings": [self.show(t) for t in reversed(self.tickets)][:100],
                     "next": None}
