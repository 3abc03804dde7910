"""A slow model of the studio, minute by minute and degree by degree; it shares nothing with any solution.

It knows what the first three specs say. Orders are taken to be well-formed.
"""


class No(Exception):
    pass


class Model:
    def __init__(self):
        self.minute = 0
        self.kilns = {}
        self.programmes = {}
        self.pieces = []
        self.firings = []

    def ask(self, what, *args):
        try:
            return what(*args)
        except No as no:
            return no.args

    # kilns and heat

    def add_kiln(self, k):
        self.kilns[k["id"]] = dict(k)
        return 201, self.show_kiln(k["id"])

    def show_kiln(self, name):
        k = dict(self.kilns[name], state="idle")
        for f in self.firings:
            if f["kiln"] == name and f["lit"] and not f["out"]:
                k["state"] = "firing" if f["state"] == "firing" else "cooling"
                k["firing"] = f["id"]
        return k

    def add_programme(self, p):
        self.programmes[p["id"]] = dict(p, top=max(s["heat"] for s in p["stages"]))
        return 201, self.programmes[p["id"]]

    def curve(self, k, stages):
        """The heat in each minute, from the first on."""
        heats = [20]
        for s in stages:
            while heats[-1] != s["heat"]:
                h = heats[-1]
                if h < s["heat"]:
                    heats.append(min(s["heat"], h + min(k["rate"], s["rate"])))
                else:
                    heats.append(max(s["heat"], h - min(k.get("cooling", 99), s["rate"])))
            heats += [s["heat"]] * s["hold"]
        return heats

    def cool_down(self, k, heat):
        minutes = 0
        while "cooling" in k and heat > 60:
            heat -= k["cooling"]
            minutes += 1
        return minutes

    # pieces

    def find(self, things, name, code):
        for t in things:
            if t["id"] == name:
                return t
        raise No(404, {"fault": code})

    def book(self, o):
        if "after" in o:
            self.find(self.pieces, o["after"], "no-piece")
        if o.get("due", self.minute + 1) <= self.minute:
            raise No(409, {"fault": "in-the-past"})
        p = dict(o, id="P" + str(len(self.pieces) + 1), booked_at=self.minute)
        p.setdefault("rank", 5)
        self.pieces.append(p)
        if "passes" in p:
            p["passes"] = [{"heat": s["heat"], "dry": s.get("dry", 0)} for s in p["passes"]]
            p["pass"] = 0
            self.go_on(p)
        else:
            p["state"] = "waiting"
        return 201, self.show_piece(p)

    def go_on(self, p):
        p["pass"] += 1
        s = p["passes"][p["pass"] - 1]
        p["heat"] = s["heat"]
        p["state"] = "waiting"
        if s["dry"] > 0:
            p["state"] = "drying"
            p["ready_at"] = self.minute + s["dry"]

    def show_piece(self, p):
        p = dict(p)
        if p["rank"] == 5:
            del p["rank"]
        if p["state"] != "drying":
            p.pop("ready_at", None)
        return p

    def closed(self, p):
        if p["state"] == "firing":
            raise No(409, {"fault": "in-the-fire"})
        if p["state"] in ("fired", "missed", "cancelled"):
            raise No(409, {"fault": "piece-over"})

    def change(self, name, o):
        p = self.find(self.pieces, name, "no-piece")
        self.closed(p)
        if o.get("due") is not None and o["due"] <= self.minute:
            raise No(409, {"fault": "in-the-past"})
        p.update(o)
        if p.get("due", 0) is None:
            del p["due"]
        return 200, self.show_piece(p)

    def cancel_piece(self, name):
        p = self.find(self.pieces, name, "no-piece")
        self.closed(p)
        p["state"] = "cancelled"
        return 200, self.show_piece(p)

    def list_pieces(self):
        return 200, {"pieces": [self.show_piece(p) for p in self.pieces]}

    # firings

    def free_again(self, f):
        return f.get("opens", f["ends"])

    def plan(self, name):
        mine = [f for f in self.firings if f["kiln"] == name and
                (f["state"] == "planned" or f["lit"] and not f["out"])]
        return sorted(mine, key=lambda f: f["starts"])

    def fire(self, o):
        if o["kiln"] not in self.kilns:
            raise No(404, {"fault": "no-kiln"})
        k = self.kilns[o["kiln"]]
        f = {"id": "F" + str(len(self.firings) + 1), "kiln": k["id"], "starts": o.get("start", self.minute),
             "pieces": [], "used": 0, "state": "planned", "lit": False, "out": False}
        if "programme" in o:
            p = self.find(self.programmes.values(), o["programme"], "no-programme")
            f.update(programme=p["id"], heat=p["top"], stages=p["stages"])
        else:
            f.update(heat=o["heat"], hold=o.get("hold", 30))
            f["stages"] = [{"heat": f["heat"], "rate": 99, "hold": f["hold"]}]
        f["curve"] = self.curve(k, f["stages"])
        f["ends"] = f["starts"] + len(f["curve"]) - 1
        if "cooling" in k:
            f["opens"] = f["ends"] + self.cool_down(k, f["curve"][-1])
        if f["starts"] < self.minute:
            raise No(409, {"fault": "in-the-past"})
        if f["heat"] > k["max_heat"]:
            raise No(409, {"fault": "too-hot", "max_heat": k["max_heat"]})
        wanted = set(range(f["starts"], self.free_again(f)))
        for other in self.plan(k["id"]):
            if wanted & set(range(other["starts"], self.free_again(other))):
                raise No(409, {"fault": "kiln-busy", "until": self.free_again(other)})
        if f["starts"] == self.minute and not self.light(f):
            raise No(409, {"fault": "nothing-to-fire"})
        self.firings.append(f)
        return 201, self.show_firing(f)

    def light(self, f):
        room = self.kilns[f["kiln"]]["room"]
        queue = [p for p in self.pieces if p["state"] == "waiting"]
        queue.sort(key=lambda p: p.get("due", 10 ** 9))
        queue.sort(key=lambda p: p["rank"])
        for p in queue:
            in_time = self.free_again(f) <= p.get("due", 10 ** 9)
            hot = 0 <= f["heat"] - p["heat"] <= 40
            free = "after" not in p or self.find(self.pieces, p["after"], "")["state"] == "fired"
            if in_time and hot and free and f["used"] + p["size"] <= room:
                f["used"] += p["size"]
                f["pieces"].append(p["id"])
                p.update(state="firing", firing=f["id"])
        f["lit"] = bool(f["pieces"])
        f["state"] = "firing" if f["lit"] else "empty"
        return f["lit"]

    def unload(self, f):
        f["out"] = True
        for name in f["pieces"]:
            p = self.find(self.pieces, name, "")
            if f["state"] == "stopped":
                p["state"] = "waiting"
                del p["firing"]
            elif p.get("pass", 1) == len(p.get("passes", [0])):
                p["state"] = "fired"
            else:
                self.go_on(p)
        if f["state"] != "stopped":
            f["state"] = "done"

    def cancel_firing(self, name):
        f = self.find(self.firings, name, "no-firing")
        if f["state"] == "planned":
            f["state"] = "cancelled"
        elif f["state"] == "firing":
            f["state"] = "stopped"
            f["ends"] = self.minute
            if "opens" in f:
                heat = f["curve"][self.minute - f["starts"]]
                f["opens"] = self.minute + self.cool_down(self.kilns[f["kiln"]], heat)
            if self.free_again(f) == self.minute:
                self.unload(f)
        else:
            raise No(409, {"fault": "firing-over"})
        return 200, self.show_firing(f)

    def show_firing(self, f):
        return {key: f[key] for key in f if key not in ("lit", "out", "curve", "stages")}

    def list_firings(self):
        return 200, {"firings": [self.show_firing(f) for f in self.firings]}

    def show_plan(self, name):
        return 200, {"plan": [self.show_firing(f) for f in self.plan(name)]}

    # the clock

    def move(self, by):
        for _ in range(by):
            self.minute += 1
            for f in self.firings:
                if f["state"] == "firing" and f["ends"] == self.minute:
                    f["state"] = "cooling"
            for f in self.firings:
                if f["lit"] and not f["out"] and f["state"] != "firing" and self.free_again(f) == self.minute:
                    self.unload(f)
            for p in self.pieces:
                if p["state"] == "drying" and p["ready_at"] == self.minute:
                    p["state"] = "waiting"
            for p in self.pieces:
                if p["state"] in ("waiting", "drying") and p.get("due") == self.minute:
                    p["state"] = "missed"
            for f in self.firings:
                if f["state"] == "planned" and f["starts"] == self.minute:
                    self.light(f)
        return 200, {"now": self.minute}
