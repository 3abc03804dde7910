"""The slow model goes on: broken kilns, leases, the history, series and what-ifs.

It looks at every minute, and at every minute of a lease or a firing, one after another.
"""
import copy

from model import Model, No


class LateModel(Model):
    def __init__(self):
        super().__init__()
        self.down = []
        self.leases = []
        self.notes = []
        self.serial = []

    def tell(self, what, name, **more):
        self.notes.append(dict(more, seq=len(self.notes) + 1, at=self.minute, what=what, id=name))

    # what was there, with its notes

    def add_kiln(self, k):
        super().add_kiln(k)
        self.tell("kiln-added", k["id"])
        self.wake()
        return 201, self.show_kiln(k["id"])

    def add_programme(self, p):
        self.tell("programme-added", p["id"])
        return super().add_programme(p)

    def show_kiln(self, name):
        if name in self.down:
            return dict(self.kilns[name], state="broken")
        return super().show_kiln(name)

    def book(self, o):
        answer = super().book(o)
        self.tell("piece-booked", self.pieces[-1]["id"])
        return answer

    def change(self, name, o):
        answer = super().change(name, o)
        self.tell("piece-changed", name)
        return answer

    def cancel_piece(self, name):
        answer = super().cancel_piece(name)
        self.tell("piece-cancelled", name)
        return answer

    def unload(self, f):
        if f["state"] == "failed":
            self.tell("firing-failed", f["id"])
        elif f["state"] != "stopped":
            self.tell("firing-done", f["id"])
        if f["state"] == "failed":
            f["out"] = True
            for name in f["pieces"]:
                p = self.find(self.pieces, name, "")
                p["state"] = "waiting"
                del p["firing"]
        else:
            super().unload(f)
        for name in f["pieces"]:
            state = self.find(self.pieces, name, "")["state"]
            if f["state"] != "done":
                self.tell("piece-back", name)
            else:
                self.tell("piece-fired" if state == "fired" else "piece-out", name)

    def cancel_firing(self, name):
        f = self.find(self.firings, name, "no-firing")
        if f["state"] == "stranded":
            f["state"] = "planned"
        if f["state"] in ("planned", "firing"):
            self.tell("firing-cancelled" if f["state"] == "planned" else "firing-stopped", name)
        return super().cancel_firing(name)

    # leases

    def let(self, k, first, last):
        found = [t for t in self.leases if t["kiln"] == k and not t["void"]
                 and set(range(first, last)) & set(range(t["from"], t["to"]))]
        return sorted(found, key=lambda t: t["from"])

    def lease(self, o):
        if o["kiln"] not in self.kilns:
            raise No(404, {"fault": "no-kiln"})
        if o["from"] < self.minute:
            raise No(409, {"fault": "in-the-past"})
        for t in self.let(o["kiln"], o["from"], o["to"]):
            raise No(409, {"fault": "lease-taken", "lease": t["id"]})
        for f in self.plan(o["kiln"]):
            if f.get("member") != o["member"] and f["starts"] < o["to"] and o["from"] < self.free_again(f):
                raise No(409, {"fault": "kiln-busy", "until": self.free_again(f)})
        asked, had = {}, {}
        for m in range(o["from"], o["to"]):
            asked[m // 10080] = asked.get(m // 10080, 0) + 1
        for t in self.leases:
            if t["member"] == o["member"] and not t["void"]:
                for m in range(t["from"], t["to"]):
                    had[m // 10080] = had.get(m // 10080, 0) + 1
        for week in sorted(asked):
            left = 1440 - had.get(week, 0)
            if asked[week] > left:
                raise No(409, {"fault": "over-quota", "week": week, "left": left})
        t = dict(o, id="L" + str(len(self.leases) + 1), void=False)
        self.leases.append(t)
        self.tell("lease-made", t["id"])
        return 201, self.show_lease(t)

    def show_lease(self, t):
        t = dict(t)
        t["state"] = "running" if t["from"] <= self.minute < t["to"] else "ended"
        if self.minute < t["from"]:
            t["state"] = "booked"
        if t.pop("void"):
            t["state"] = "cancelled"
        return t

    def cancel_lease(self, name):
        t = self.find(self.leases, name, "no-lease")
        state = self.show_lease(t)["state"]
        if state == "booked":
            t["void"] = True
        elif state == "running":
            t["to"] = self.minute
        else:
            raise No(409, {"fault": "lease-over"})
        self.tell("lease-cancelled", name)
        return 200, self.show_lease(t)

    # firings

    def fire(self, o):
        if o["kiln"] not in self.kilns:
            raise No(404, {"fault": "no-kiln"})
        if "programme" in o:
            self.find(self.programmes.values(), o["programme"], "no-programme")
        if o["kiln"] in self.down:
            raise No(409, {"fault": "kiln-broken"})
        self.member = o.get("member")
        try:
            number = len(self.firings)
            answer = super().fire(o)
        except No as no:
            if no.args[1]["fault"] in ("kiln-busy", "nothing-to-fire"):
                self.refuse_leased(o)
            raise
        self.refuse_leased(o, number)
        f = self.firings[-1]
        if "member" in o:
            f["member"] = o["member"]
        if f["state"] == "planned":
            self.tell("firing-planned", f["id"])
        return 201, self.show_firing(f)

    def refuse_leased(self, o, number=None):
        k = self.kilns[o["kiln"]]
        stages = [{"heat": o.get("heat"), "rate": 99, "hold": o.get("hold", 30)}]
        if "programme" in o:
            stages = self.programmes[o["programme"]]["stages"]
        start = o.get("start", self.minute)
        heats = self.curve(k, stages)
        end = start + len(heats) - 1 + self.cool_down(k, heats[-1])
        for t in self.let(o["kiln"], start, end):
            if t["member"] != o.get("member"):
                if number is not None:
                    gone = self.firings.pop()
                    for name in gone["pieces"]:
                        p = self.find(self.pieces, name, "")
                        p["state"] = "waiting"
                        p.pop("firing")
                    while self.notes and self.notes[-1].get("firing", self.notes[-1]["id"]) == gone["id"]:
                        self.notes.pop()
                raise No(409, {"fault": "leased", "lease": t["id"]})

    def light(self, f):
        member = f.get("member", getattr(self, "member", None) if f not in self.firings else None)
        mine = [t for t in self.let(f["kiln"], f["starts"], f["starts"] + 1) if t["member"] == member]
        hidden = [p for p in self.pieces if mine and p["owner"] != member and p["state"] == "waiting"]
        for p in hidden:
            p["state"] = "hidden"
        before = len(self.firings)
        done = super().light(f)
        for p in hidden:
            p["state"] = "waiting"
        if done or f in self.firings:
            assert before == len(self.firings)
            self.tell("firing-started" if done else "firing-empty", f["id"])
        for name in f["pieces"]:
            self.tell("piece-loaded", name, firing=f["id"])
        return done

    # broken kilns

    def break_kiln(self, name):
        if name in self.down:
            raise No(409, {"fault": "kiln-broken"})
        planned = [f for f in self.plan(name) if f["state"] == "planned"]
        hot = [f for f in self.plan(name) if f["lit"]]
        self.down.append(name)
        self.tell("kiln-broken", name)
        for f in hot:
            if f["state"] == "firing":
                f["state"] = "failed"
                f["ends"] = self.minute
            if "opens" in f:
                f["opens"] = self.minute
            self.unload(f)
        for f in planned:
            if not self.put_elsewhere(f):
                f["state"] = "stranded"
                self.tell("firing-stranded", f["id"])
        return 200, self.show_kiln(name)

    def put_elsewhere(self, f):
        f["state"] = "nowhere"
        names = [n for n in sorted(self.kilns) if n not in self.down and self.kilns[n]["max_heat"] >= f["heat"]]
        start = max(f["starts"], self.minute)
        while names:
            for n in names:
                k = self.kilns[n]
                heats = self.curve(k, f["stages"])
                end = start + len(heats) - 1
                after = end + self.cool_down(k, heats[-1])
                busy = any(g["starts"] < after and start < self.free_again(g) for g in self.plan(n))
                if not busy and all(t["member"] == f.get("member") for t in self.let(n, start, after)):
                    f.update(kiln=n, starts=start, ends=end, curve=heats, state="planned", moves=f.get("moves", 0) + 1)
                    f.pop("opens", None)
                    if "cooling" in k:
                        f["opens"] = after
                    self.tell("firing-moved", f["id"], kiln=n, starts=start)
                    return True
            start += 1
        return False

    def wake(self):
        waiting = [f for f in self.firings if f["state"] == "stranded"]
        for f in waiting:
            if not self.put_elsewhere(f):
                f["state"] = "stranded"
        for f in waiting:
            if f["state"] == "planned" and f["starts"] == self.minute:
                self.light(f)

    def repair(self, name):
        if name not in self.down:
            raise No(409, {"fault": "not-broken"})
        self.down.remove(name)
        self.tell("kiln-repaired", name)
        self.wake()
        return 200, self.show_kiln(name)

    # the clock

    def move(self, by):
        """As before, a minute at a time, with notes of what only changes a state."""
        for _ in range(by):
            self.minute += 1
            self.pass_minute()
        return 200, {"now": self.minute}

    def pass_minute(self):
        for f in self.firings:
            if f["state"] == "firing" and f["ends"] == self.minute:
                f["state"] = "cooling"
                if "opens" in f:
                    self.tell("firing-cooling", f["id"])
        for f in self.firings:
            if f["lit"] and not f["out"] and f["state"] != "firing" and self.free_again(f) == self.minute:
                self.unload(f)
        for p in self.pieces:
            if p["state"] == "drying" and p["ready_at"] == self.minute:
                p["state"] = "waiting"
                self.tell("piece-dried", p["id"])
        for p in self.pieces:
            if p["state"] in ("waiting", "drying") and p.get("due") == self.minute:
                p["state"] = "missed"
                self.tell("piece-missed", p["id"])
        for f in self.firings:
            if f["state"] == "planned" and f["starts"] == self.minute:
                self.light(f)
        self.plan_ahead()

    # series

    def ask_series(self, o):
        if o["kiln"] not in self.kilns:
            raise No(404, {"fault": "no-kiln"})
        s = dict(o, id="S" + str(len(self.serial) + 1), state="running", settled=0, next=o["start"])
        if "programme" in o:
            s["heat"] = self.find(self.programmes.values(), o["programme"], "no-programme")["top"]
        if o["start"] <= self.minute:
            raise No(409, {"fault": "in-the-past"})
        if s["heat"] > self.kilns[o["kiln"]]["max_heat"]:
            raise No(409, {"fault": "too-hot", "max_heat": self.kilns[o["kiln"]]["max_heat"]})
        self.serial.append(s)
        self.tell("series-added", s["id"])
        self.plan_ahead()
        return 201, self.show_series(s)

    def show_series(self, s):
        return {key: s[key] for key in s if key != "last" and s[key] is not None}

    def plan_ahead(self):
        for s in self.serial:
            while s["state"] == "running" and s["settled"] == s.get("times"):
                s["state"] = "done"
                del s["next"]
            while s["state"] == "running" and s["next"] <= self.minute + 1440:
                s["settled"] += 1
                o = {key: s[key] for key in ("kiln", "hold", "programme", "member") if key in s}
                if "programme" not in s:
                    o["heat"] = s["heat"]
                o["start"] = s["next"]
                try:
                    if s["next"] <= self.minute:
                        raise No()
                    self.fire(o)
                    self.firings[-1].update(series=s["id"], number=s["settled"])
                except No:
                    self.tell("series-skipped", s["id"], number=s["settled"])
                s["last"] = s["next"]
                s["next"] = s["last"] + s["every"]
                if s["settled"] == s.get("times"):
                    s["state"] = "done"
                    del s["next"]

    def change_series(self, name, o):
        s = self.find(self.serial, name, "no-series")
        if s["state"] != "running":
            raise No(409, {"fault": "series-over"})
        if o.get("times") is not None and o["times"] < s["settled"]:
            raise No(409, {"fault": "too-few", "settled": s["settled"]})
        s.update(o)
        if "last" in s:
            s["next"] = s["last"] + s["every"]
        self.tell("series-changed", name)
        self.plan_ahead()
        return 200, self.show_series(s)

    def cancel_series(self, name):
        s = self.find(self.serial, name, "no-series")
        if s["state"] != "running":
            raise No(409, {"fault": "series-over"})
        s["state"] = "cancelled"
        del s["next"]
        self.tell("series-cancelled", name)
        for f in self.firings:
            if f.get("series") == name and f["state"] in ("planned", "stranded"):
                self.cancel_firing(f["id"])
        return 200, self.show_series(s)

    def list_series(self):
        return 200, {"series": [self.show_series(s) for s in self.serial]}

    def copy(self):
        return copy.deepcopy(self)

    def list_history(self):
        return 200, {"history": self.notes}

    def list_leases(self):
        return 200, {"leases": [self.show_lease(t) for t in self.leases]}
