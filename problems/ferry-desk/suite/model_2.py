"""A slow model of the line, minute by minute; it shares nothing with any solution."""


class No(Exception):
    pass


class Model:
    def __init__(self):
        self.minute = 0
        self.ships = []
        self.tickets = []
        self.keys = {}

    def ship(self, name):
        for s in self.ships:
            if s["id"] == name:
                return s
        raise No(404, {"error": "no-such-sailing"})

    def ticket(self, name):
        for t in self.tickets:
            if t["id"] == name:
                return t
        raise No(404, {"error": "no-such-booking"})

    def room(self, s):
        p, m = s["persons"], s["metres"]
        for t in self.tickets:
            if t["sailing"] == s["id"] and t["state"] in ("booked", "held"):
                p -= t["persons"]
                m -= t["metres"]
        return p, m

    def show_ship(self, s):
        p, m = self.room(s)
        return dict(s, free_persons=p, free_metres=m)

    def queue(self, s):
        return [t for t in self.tickets if t["sailing"] == s["id"] and t["state"] == "waiting"]

    def show(self, t):
        t = {k: v for k, v in t.items() if k != "held_until" or t["state"] == "held"}
        if t["state"] == "waiting":
            t["position"] = [x["id"] for x in self.queue(self.ship(t["sailing"]))].index(t["id"]) + 1
        return t

    def give(self, t):
        if t.get("hold"):
            t["state"] = "held"
            t["held_until"] = min(self.minute + t["hold"], self.ship(t["sailing"])["departs"])
        else:
            t["state"] = "booked"

    def serve(self, s):
        if self.minute >= s["departs"]:
            return
        for t in self.queue(s):
            p, m = self.room(s)
            if t["persons"] <= p and t["metres"] <= m:
                self.give(t)
                t["promoted_at"] = self.minute

    def tick(self):
        self.minute += 1
        for t in self.tickets:
            if t["state"] == "held" and t["held_until"] == self.minute:
                t["state"] = "lapsed"
                t["lapsed_at"] = self.minute
                self.serve(self.ship(t["sailing"]))
            elif t["state"] == "waiting" and self.ship(t["sailing"])["departs"] == self.minute:
                t["state"] = "missed"

    def put_clock(self, now):
        if now < self.minute:
            raise No(409, {"error": "clock-backwards"})
        while self.minute < now:
            self.tick()
        return 200, {"now": self.minute}

    def add_ship(self, s):
        if any(x["id"] == s["id"] for x in self.ships):
            raise No(409, {"error": "sailing-exists"})
        if s["departs"] <= self.minute:
            raise No(409, {"error": "in-the-past"})
        self.ships.append(s)
        return 201, self.show_ship(s)

    def book(self, o):
        s = self.ship(o["sailing"])
        if self.minute >= s["departs"]:
            raise No(409, {"error": "departed"})
        metres = o.get("metres", 0)
        p, m = self.room(s)
        t = {"id": "B" + str(len(self.tickets) + 1), "sailing": s["id"], "name": o["name"],
             "persons": o["persons"], "metres": metres, "booked_at": self.minute,
             "price": s["person_fare"] * o["persons"] + s["metre_fare"] * metres, "state": "waiting"}
        if "hold" in o:
            t["hold"] = o["hold"]
        if o["persons"] <= p and metres <= m:
            self.give(t)
        elif not (o.get("wait") and o["persons"] <= s["persons"] and metres <= s["metres"]):
            raise No(409, {"error": "full", "free_persons": p, "free_metres": m})
        self.tickets.append(t)
        return 201, self.show(t)

    def confirm(self, name):
        t = self.ticket(name)
        if t["state"] != "held":
            raise No(409, {"error": "not-held"})
        t["state"] = "booked"
        return 200, self.show(t)

    def cancel(self, name):
        t = self.ticket(name)
        if t["state"] == "cancelled":
            raise No(409, {"error": "already-cancelled"})
        if t["state"] in ("lapsed", "missed"):
            raise No(409, {"error": "not-open"})
        s = self.ship(t["sailing"])
        if self.minute >= s["departs"]:
            raise No(409, {"error": "departed"})
        paid = t["price"] if t["state"] == "booked" else 0
        t["refund"] = paid if s["departs"] >= self.minute + 1440 else int(paid / 2)
        t["state"] = "cancelled"
        self.serve(s)
        return 200, self.show(t)

    def bookings_of(self, name, state=None):
        self.ship(name)
        return 200, {"bookings": [self.show(t) for t in self.tickets if t["sailing"] == name and state in (None, t["state"])]}

    def ask(self, what, *args):
        try:
            return what(*args)
        except No as no:
            return no.args
