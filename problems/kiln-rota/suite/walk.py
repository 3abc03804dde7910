"""A random walk through the studio; the model says what is right. The level is that of the spec."""
import json
import random
import sys

from model import Model
from model_late import LateModel

KILNS = [{"id": "north", "room": 14, "max_heat": 1300, "rate": 9},
         {"id": "annex", "room": 9, "max_heat": 900, "rate": 16}]
HEATS = [600, 620, 880, 1200]


class Walk:
    def __init__(self, level, seed):
        self.level = level
        self.rnd = random.Random("walk-%d-%s" % (level, seed))
        self.model = LateModel() if level > 3 else Model()
        self.steps = []

    def step(self, send, answer, body=None):
        status, want = answer
        request = {"send": send, "expect": {"status": status, "body": {"json": json.loads(json.dumps(want))}}}
        if body is not None:
            request["json"] = body
        self.steps.append({"request": request})

    def chance(self, share):
        return self.rnd.random() < share

    def set_up(self):
        for kiln in KILNS:
            kiln = dict(kiln)
            if self.level > 2 and (kiln["id"] == "north" or self.chance(0.5)):
                kiln["cooling"] = self.rnd.randint(3, 30)
            self.step("POST /kilns", self.model.ask(self.model.add_kiln, kiln), kiln)
        if self.level > 2:
            for name in ("p1", "p2"):
                stages = [{"heat": self.rnd.choice(HEATS + [300]), "rate": self.rnd.randint(3, 20),
                           "hold": self.rnd.randint(0, 20)} for _ in range(self.rnd.randint(1, 4))]
                programme = {"id": name, "stages": stages}
                self.step("POST /programmes", self.model.ask(self.model.add_programme, programme), programme)

    def piece(self):
        r = self.rnd
        o = {"owner": r.choice(["Maud", "Ines"]), "size": r.randint(1, 8), "heat": r.choice(HEATS)}
        if self.level > 1:
            if self.chance(0.5):
                o["rank"] = r.randint(3, 6)
            if self.chance(0.5):
                o["due"] = self.model.minute + r.randint(0, 500)
        if self.level > 2:
            if self.chance(0.5):
                del o["heat"]
                o["passes"] = [{"heat": r.choice(HEATS), "dry": r.randint(0, 60)} for _ in range(r.randint(1, 3))]
            if self.chance(0.15):
                o["after"] = "P%d" % r.randint(1, len(self.model.pieces) + 1)
        self.step("POST /pieces", self.model.ask(self.model.book, o), o)

    def firing(self):
        r = self.rnd
        o = {"kiln": r.choice(["north", "annex"])}
        if self.level > 2 and self.chance(0.4):
            o["programme"] = r.choice(["p1", "p2"])
        else:
            o.update(heat=r.choice(HEATS), hold=r.randint(0, 40))
        if self.level > 1 and self.chance(0.6):
            o["start"] = self.model.minute + r.randint(-1, 300)
            if o["start"] < 0:
                o["start"] = 0
        if self.level > 3 and self.chance(0.4):
            o["member"] = r.choice(["Maud", "Ines"])
        self.step("POST /firings", self.model.ask(self.model.fire, o), o)

    def breakdown(self):
        name = self.rnd.choice(["north", "annex"])
        if name in self.model.down:
            self.step("POST /kilns/%s/repair" % name, self.model.ask(self.model.repair, name))
        else:
            self.step("POST /kilns/%s/break" % name, self.model.ask(self.model.break_kiln, name))

    def lease(self):
        r = self.rnd
        first = max(0, self.model.minute + r.randint(-1, 300))
        o = {"member": r.choice(["Maud", "Ines"]), "kiln": r.choice(["north", "annex"]),
             "from": first, "to": first + r.randint(1, 700)}
        self.step("POST /leases", self.model.ask(self.model.lease, o), o)

    def end_lease(self):
        name = "L%d" % self.rnd.randint(1, len(self.model.leases) + 1)
        self.step("POST /leases/%s/cancel" % name, self.model.ask(self.model.cancel_lease, name))

    def change(self):
        name = "P%d" % self.rnd.randint(1, len(self.model.pieces) + 1)
        if self.chance(0.5):
            self.step("POST /pieces/%s/cancel" % name, self.model.ask(self.model.cancel_piece, name))
        else:
            o = {"rank": self.rnd.randint(1, 9)}
            if self.chance(0.6):
                o["due"] = self.rnd.choice([None, self.model.minute + self.rnd.randint(0, 400)])
            self.step("PATCH /pieces/" + name, self.model.ask(self.model.change, name, o), o)

    def stop(self):
        name = "F%d" % self.rnd.randint(max(1, len(self.model.firings) - 3), len(self.model.firings) + 1)
        self.step("POST /firings/%s/cancel" % name, self.model.ask(self.model.cancel_firing, name))

    def series(self):
        r = self.rnd
        o = {"kiln": r.choice(["north", "annex"]), "start": max(0, self.model.minute + r.randint(-5, 2500)),
             "every": r.randint(60, 900)}
        if self.chance(0.3):
            o["programme"] = r.choice(["p1", "p2"])
        else:
            o.update(heat=r.choice(HEATS), hold=r.randint(0, 20))
        if self.chance(0.3):
            o["member"] = r.choice(["Maud", "Ines"])
        if self.chance(0.6):
            o["times"] = r.randint(1, 4)
        self.step("POST /series", self.model.ask(self.model.ask_series, o), o)

    def change_series(self):
        name = "S%d" % self.rnd.randint(1, len(self.model.serial) + 1)
        if self.chance(0.3):
            self.step("POST /series/%s/cancel" % name, self.model.ask(self.model.cancel_series, name))
            return
        o = {}
        if self.chance(0.7):
            o["every"] = self.rnd.randint(60, 900)
        if self.chance(0.4):
            o["times"] = self.rnd.choice([None, self.rnd.randint(1, 6)])
        self.step("PATCH /series/" + name, self.model.ask(self.model.change_series, name, o), o)

    def what_if(self):
        """The same doings, done to a copy of the model."""
        model, steps = self.model, self.steps
        self.model, self.steps = model.copy(), []
        for _ in range(self.rnd.randint(1, 6)):
            self.rnd.choice([self.piece, self.firing, self.clock, self.change, self.stop, self.breakdown,
                             self.series, self.lease])()
        trial, tried = self.model, [step["request"] for step in self.steps]
        self.model, self.steps = model, steps
        orders, results = [], []
        for one in tried:
            orders.append({"send": one["send"], "body": one["json"]} if "json" in one else {"send": one["send"]})
            results.append({"status": one["expect"]["status"], "body": one["expect"]["body"]["json"]})
        want = {"now": trial.minute, "results": results, "history": trial.notes[len(model.notes):]}
        self.step("POST /what-if", (200, want), {"steps": orders})

    def clock(self):
        by = self.rnd.choice([self.rnd.randint(0, 40), self.rnd.randint(0, 200)])
        self.step("POST /clock", self.model.ask(self.model.move, by), {"by": by})

    def look(self):
        self.step("GET /pieces", self.model.list_pieces())
        self.step("GET /firings", self.model.list_firings())
        if self.level > 3:
            self.step("GET /leases", self.model.list_leases())
            self.step("GET /history", self.model.list_history())
        if self.level > 4:
            self.step("GET /series", self.model.list_series())

    def go(self):
        self.set_up()
        doings = [self.piece] * 7 + [self.firing] * 5 + [self.clock] * 5
        if self.level > 1:
            doings += [self.change, self.stop]
        if self.level > 3:
            doings += [self.breakdown, self.lease, self.lease, self.end_lease]
        if self.level > 4:
            doings += [self.series, self.series, self.change_series, self.change_series, self.what_if, self.what_if]
        for number in range(45):
            self.rnd.choice(doings)()
            if number % 15 == 14:
                self.look()
        self.step("POST /clock", self.model.ask(self.model.move, 3000), {"by": 3000})
        self.look()
        return {"steps": self.steps}


def main(level):
    print(json.dumps(Walk(level, sys.argv[1]).go()))
