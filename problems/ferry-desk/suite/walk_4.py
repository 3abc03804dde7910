"""A random walk of batches and looks back; the model says what is right."""
import json
import random
import sys

from model_4 import Model

rnd = random.Random("walk-4-" + sys.argv[1])
model = Model()
steps = []


def step(send, answer, body=None):
    status, want = answer
    r = {"send": send, "expect": {"status": status, "body": {"json": json.loads(json.dumps(want))}}}
    if body is not None:
        r["json"] = body
    steps.append({"request": r})


names = ["s1", "s2"]


def one(n):
    """A step: how it is sent, and how the model is asked."""
    dice = rnd.random()
    some = "$%d" % rnd.randint(1, max(1, n)) if rnd.random() < 0.3 else "B%d" % rnd.randint(max(1, len(model.tickets) - 9), len(model.tickets) + 1)
    if dice < 0.5:
        o = {"sailing": rnd.choice(names), "name": "N%d" % len(steps), "persons": rnd.randint(1, 3), "metres": rnd.randint(0, 3)}
        if rnd.random() < 0.5:
            o["hold"] = rnd.randint(1, 120)
        if rnd.random() < 0.8:
            o["wait"] = True
        return {"send": "POST /bookings", "body": o}, ("book", [o])
    if dice < 0.68:
        return {"send": "POST /bookings/%s/cancel" % some}, ("cancel", [some])
    if dice < 0.76:
        return {"send": "POST /bookings/%s/confirm" % some}, ("confirm", [some])
    if dice < 0.9:
        v, new = rnd.choice([1, 1, 2]), {"persons": rnd.randint(1, 3)}
        return {"send": "PATCH /bookings/" + some, "body": new, "version": v}, ("amend_ticket", [some, v, new])
    n = rnd.choice(names)
    v, new = model.version[n], {"departs": max(0, model.minute + rnd.randint(0, 2000)), "person_fare": rnd.randint(1, 99), "persons": rnd.randint(4, 9)}
    return {"send": "PATCH /sailings/" + n, "body": new, "version": v}, ("amend_ship", [n, v, new])


for n in names:
    s = {"id": n, "from": "A", "to": "B", "departs": rnd.randint(1200, 2000), "persons": rnd.randint(4, 9),
         "metres": rnd.randint(4, 9), "person_fare": rnd.randint(1, 999), "metre_fare": rnd.randint(0, 99)}
    step("POST /sailings", model.ask(model.add_ship, dict(s)), s)
for i in range(26):
    many = [one(n) for n in range(rnd.choice([1, 1, 2, 3, 4]))]
    step("POST /batches", model.batch([m for _, m in many]), {"steps": [s for s, _ in many]})
    if rnd.random() < 0.4:
        now = model.minute + rnd.randint(0, 120)
        step("PUT /clock", model.ask(model.put_clock, now), {"now": now})
steps.append({"restart": {"by": "kill"}})
step("GET /report", (200, model.report()))
for i in range(14):
    seq = rnd.randint(0, len(model.feed))
    then = model.then(seq)
    step("GET /report?at=%d" % seq, (200, then.report()))
    step("GET /sailings/s1/bookings?at=%d" % seq, then.ask(then.bookings_of, "s1"))
    minute = rnd.randint(0, model.minute)
    step("GET /report?minute=%d" % minute, (200, model.then(model.seq_at(minute)).report()))
step("GET /changes?limit=100", (200, {"changes": model.feed[:100], "last": len(model.feed)}))
print(json.dumps({"steps": steps}))
