"""The slow model with journeys, withdrawn sailings and planned fares."""
import copy

from model_4 import Model as Plain
from model_4 import No


class Model(Plain):
    def __init__(self):
        super().__init__()
        self.plans = []

    def route(self, t):
        return t["legs"] if "legs" in t else [t["sailing"]]

    def leaves(self, t):
        return sorted(self.ship(n)["departs"] for n in self.route(t))[0]

    def room(self, s, without=None):
        p, m = s["persons"], s["metres"]
        for t in self.tickets:
            if s["id"] in self.route(t) and t["state"] in ("booked", "held") and t["id"] != without:
                p, m = p - t["persons"], m - t["metres"]
        return p, m

    def queue(self, s):
        return [t for t in self.tickets if s["id"] in self.route(t) and t["state"] == "waiting"]

    def show(self, t):
        out = {k: v for k, v in t.items() if k != "held_until" or t["state"] == "held"}
        if t["state"] == "waiting":
            places = [[x["id"] for x in self.queue(self.ship(n))].index(t["id"]) + 1 for n in self.route(t)]
            if "legs" in t:
                out["positions"] = places
            else:
                out["position"] = places[0]
        return out

    def give(self, t):
        t["state"] = "booked"
        if "hold" in t:
            t["state"] = "held"
            t["held_until"] = min(self.minute + t["hold"], self.leaves(t))

    def short(self, t):
        """The first leg on which there is no room."""
        for n in self.route(t):
            p, m = self.room(self.ship(n), t["id"])
            if t["persons"] > p or t["metres"] > m:
                return n, p, m

    def never(self, t):
        return any(t["persons"] > self.ship(n)["persons"] or t["metres"] > self.ship(n)["metres"] for n in self.route(t))

    def full(self, t):
        n, p, m = self.short(t)
        body = {"error": "full", "free_persons": p, "free_metres": m}
        if "legs" in t:
            body["sailing"] = n
        return No(409, body)

    def price(self, t):
        each = []
        for n in self.route(t):
            s = self.ship(n)
            each.append(t["persons"] * s["person_fare"] + t["metres"] * s["metre_fare"])
        if "legs" in t:
            each = [-(-9 * c // 10) for c in each]
            t["leg_prices"] = each
        t["price"] = sum(each)

    def serve_all(self):
        for t in self.tickets:
            if t["state"] == "waiting" and self.leaves(t) > self.minute and not self.short(t):
                self.give(t)
                t["promoted_at"] = self.minute
                self.note("booking-promoted", t["id"])

    def tick(self):
        self.minute += 1
        for at, name, pf, mf in sorted(p for p in self.plans if p[0] == self.minute):
            s = self.ship(name)
            if "withdrawn_at" not in s and s["departs"] > at and (pf, mf) != (s["person_fare"], s["metre_fare"]):
                s["person_fare"], s["metre_fare"] = pf, mf
                self.note("sailing-changed", name)
        self.plans = [p for p in self.plans if p[0] > self.minute]
        for t in self.tickets:
            if t["state"] == "held" and t["held_until"] == self.minute:
                t["state"], t["lapsed_at"] = "lapsed", self.minute
                self.note("booking-lapsed", t["id"])
                self.serve_all()
            elif t["state"] == "waiting" and self.leaves(t) == self.minute:
                t["state"] = "missed"
                self.note("booking-missed", t["id"])

    def service(self, ships):
        if [s for s in ships if "withdrawn_at" in s]:
            raise No(409, {"error": "withdrawn"})
        if [s for s in ships if s["departs"] <= self.minute]:
            raise No(409, {"error": "departed"})

    def book(self, o):
        ships = [self.ship(n) for n in (o["legs"] if "legs" in o else [o["sailing"]])]
        for i in range(len(ships) - 1):
            if ships[i]["to"] != ships[i + 1]["from"] or not ships[i]["departs"] < ships[i + 1]["departs"]:
                raise No(409, {"error": "no-connection"})
        self.service(ships)
        t = {k: v for k, v in o.items() if k != "wait"}
        t.setdefault("metres", 0)
        t.update(id="B%d" % (len(self.tickets) + 1), booked_at=self.minute, state="waiting")
        self.price(t)
        if not self.short(t):
            self.give(t)
        elif not o.get("wait") or self.never(t):
            raise self.full(t)
        self.tickets.append(t)
        self.note("booking-made", t["id"])
        return 201, self.show(t)

    def open(self, t):
        if t["state"] not in ("booked", "held", "waiting"):
            raise No(409, {"error": "not-open"})
        self.service([self.ship(n) for n in self.route(t)])

    def cancel(self, name, version=None):
        t = self.ticket(name)
        self.check(name, version)
        if t["state"] == "cancelled":
            raise No(409, {"error": "already-cancelled"})
        self.open(t)
        each = t.get("leg_prices", [t["price"]]) if t["state"] == "booked" else []
        early = self.leaves(t) - self.minute >= 1440
        t["refund"] = sum(c if early else c // 2 for c in each)
        self.back = [c if early else c // 2 for c in each]
        t["state"] = "cancelled"
        self.note("booking-cancelled", name)
        self.serve_all()
        return 200, self.show(t)

    def note(self, what, name):
        if what.startswith("booking"):
            t = self.ticket(name)
            here = self.paid.get(name, {})
            if t["state"] == "booked":
                here = dict(zip(self.route(t), t.get("leg_prices", [t["price"]])))
            elif what == "booking-cancelled" and self.back:
                here = {n: here[n] - c for n, c in zip(self.route(t), self.back)}
            else:
                here = {}
            self.paid[name] = here
        self.count(what, name)
        self.past.append(copy.deepcopy((self.ships, self.tickets, self.paid, self.version, self.minute)))

    def count(self, what, name):
        self.version[name] = self.version.get(name, 0) + 1
        self.feed.append({"seq": len(self.feed) + 1, "at": self.minute, "what": what, "id": name, "version": self.version[name]})

    def then(self, seq):
        m = Model()
        if seq:
            m.ships, m.tickets, m.paid, m.version, m.minute = copy.deepcopy(self.past[seq - 1])
        m.feed = self.feed[:seq]
        return m

    def amend_ticket(self, name, version, new):
        t = self.ticket(name)
        self.check(name, version)
        self.open(t)
        will = dict(t, **new)
        if self.short(will) and (t["state"] != "waiting" or self.never(will)):
            raise self.full(will)
        if will != t:
            if (will["persons"], will["metres"]) != (t["persons"], t["metres"]):
                self.price(will)
            t.update(will)
            self.note("booking-changed", name)
            self.serve_all()
        return 200, self.show(t)

    def amend_ship(self, name, version, new):
        s = self.ship(name)
        self.check(name, version)
        self.service([s])
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
                if name in self.route(t) and t["state"] == "held" and t["held_until"] > self.leaves(t):
                    t["held_until"] = self.leaves(t)
                    self.note("booking-changed", t["id"])
            self.serve_all()
        return 200, self.show_ship(s)

    def withdraw(self, name, version=None):
        s = self.ship(name)
        self.check(name, version)
        if "withdrawn_at" in s:
            raise No(409, {"error": "already-withdrawn"})
        self.service([s])
        s["withdrawn_at"] = self.minute
        self.note("sailing-withdrawn", name)
        for t in self.tickets:
            if name in self.route(t) and t["state"] in ("booked", "held", "waiting"):
                t["refund"] = t["price"] if t["state"] == "booked" else 0
                t["state"] = "withdrawn"
                self.note("booking-withdrawn", t["id"])
        self.serve_all()
        return 200, self.show_ship(s)

    def plan(self, name, f):
        s = self.ship(name)
        self.service([s])
        if f["from"] <= self.minute:
            raise No(409, {"error": "in-the-past"})
        if f["from"] >= s["departs"]:
            raise No(409, {"error": "after-departure"})
        self.plans = [p for p in self.plans if p[:2] != (f["from"], name)]
        self.plans.append((f["from"], name, f["person_fare"], f["metre_fare"]))
        return self.fares(name)

    def fares(self, name):
        self.ship(name)
        return 200, {"fares": [{"from": p[0], "person_fare": p[2], "metre_fare": p[3]} for p in sorted(self.plans) if p[1] == name]}

    def bookings_of(self, name, state=None):
        self.ship(name)
        return 200, {"bookings": [self.show(t) for t in self.tickets if name in self.route(t)]}

    def report(self):
        rows = []
        for s in sorted(self.ships, key=lambda s: (s["departs"], s["id"])):
            here = [t for t in self.tickets if s["id"] in self.route(t)]
            row = {"id": s["id"], "waiting": len(self.queue(s)), "income": sum(self.paid[t["id"]].get(s["id"], 0) for t in here)}
            for state in ("booked", "held"):
                for kind in ("persons", "metres"):
                    row[state + "_" + kind] = sum(t[kind] for t in here if t["state"] == state)
            rows.append(row)
        return {"at": len(self.feed), "income": sum(r["income"] for r in rows), "sailings": rows}
