"""The slow model with batches, the past and a report: it keeps a copy of itself after each change."""
import copy

from model_3 import Model as Plain
from model_3 import No


class Model(Plain):
    def __init__(self):
        super().__init__()
        self.past = []
        self.paid = {}

    def note(self, what, name):
        super().note(what, name)
        if what in ("booking-made", "booking-confirmed", "booking-promoted", "booking-changed"):
            t = self.ticket(name)
            self.paid[name] = t["price"] if t["state"] == "booked" else 0
        if what == "booking-cancelled":
            self.paid[name] -= self.ticket(name)["refund"]
        if what == "booking-lapsed":
            self.paid[name] = 0
        self.past.append(copy.deepcopy((self.ships, self.tickets, self.paid, self.version, self.minute)))

    def then(self, seq):
        m = Model()
        if seq:
            m.ships, m.tickets, m.paid, m.version, m.minute = copy.deepcopy(self.past[seq - 1])
        m.feed = self.feed[:seq]
        return m

    def seq_at(self, minute):
        return len([c for c in self.feed if c["at"] <= minute])

    def report(self):
        rows = []
        for s in sorted(self.ships, key=lambda s: (s["departs"], s["id"])):
            here = [t for t in self.tickets if t["sailing"] == s["id"]]
            row = {"id": s["id"], "waiting": len(self.queue(s)), "income": sum(self.paid[t["id"]] for t in here)}
            for state in ("booked", "held"):
                for kind in ("persons", "metres"):
                    row[state + "_" + kind] = sum(t[kind] for t in here if t["state"] == state)
            rows.append(row)
        return {"at": len(self.feed), "income": sum(r["income"] for r in rows), "sailings": rows}

    def batch(self, steps):
        """steps: (method of the model, arguments, position of the id that may refer)"""
        kept = copy.deepcopy((self.ships, self.tickets, self.paid, self.version, self.feed, self.past))
        results = []
        for n, (what, args) in enumerate(steps):
            args = [results[int(a[1:]) - 1]["body"]["id"] if isinstance(a, str) and a[0] == "$" and int(a[1:]) <= n else a for a in args]
            status, body = self.ask(getattr(self, what), *args)
            if status > 299:
                self.ships, self.tickets, self.paid, self.version, self.feed, self.past = kept
                return status, dict(body, step=n + 1)
            results.append(copy.deepcopy({"status": status, "body": body, "version": self.version[body["id"]]}))
        return 200, {"results": results}
