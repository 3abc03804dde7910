"""A random walk with journeys, withdrawn sailings and planned fares; the model says what is right."""
import json
import random
import sys

from model_5 import Model

rnd = random.Random("walk-5-" + sys.argv[1])
model = Model()
steps = []


def step(send, answer, body=None, version=None):
    status, want = answer
    r = {"send": send, "expect": {"status": status, "body": {"json": json.loads(json.dumps(want))}}}
    if body is not None:
        r["json"] = body
    if version is not None:
        r["headers"] = {"If-Match": '"%d"' % version}
    if status in (200, 201) and "id" in want:
        r["expect"]["headers"] = {"ETag": {"equals": '"%d"' % model.version[want["id"]]}}
    steps.append({"request": r})


names = ["a1", "b1", "b2", "c1"]
for n in names:
    s = {"id": n, "from": "Port " + n[0].upper(), "to": "Port " + chr(ord(n[0]) + 1).upper(), "departs": {"a": 1500, "b": 1800, "c": 2300}[n[0]] + rnd.randint(0, 400),
         "persons": rnd.randint(3, 7), "metres": rnd.randint(4, 9), "person_fare": rnd.randint(1, 999), "metre_fare": rnd.randint(0, 99)}
    step("POST /sailings", model.ask(model.add_ship, dict(s)), s)
for i in range(60):
    dice = rnd.random()
    some = "B%d" % rnd.randint(max(1, len(model.tickets) - 12), len(model.tickets) + 1)
    n = rnd.choice(names)
    if dice < 0.45:
        o = {"name": "N%d" % i, "persons": rnd.randint(1, 4), "metres": rnd.randint(0, 4)}
        if rnd.random() < 0.55:
            o["legs"] = rnd.choice([["a1", "b1"], ["a1", "b2"], ["b1", "c1"], ["b2", "c1"], ["a1", "b1", "c1"], ["a1", "c1"], ["b1", "a1"]])
        else:
            o["sailing"] = n
        if rnd.random() < 0.6:
            o["hold"] = rnd.choice([rnd.randint(1, 90), rnd.randint(400, 2000)])
        if rnd.random() < 0.85:
            o["wait"] = True
        step("POST /bookings", model.ask(model.book, o), o)
    elif dice < 0.55:
        step("POST /bookings/%s/cancel" % some, model.ask(model.cancel, some))
    elif dice < 0.61:
        step("POST /bookings/%s/confirm" % some, model.ask(model.confirm, some))
    elif dice < 0.7:
        new = {k: v for k, v in {"name": "M%d" % (i % 3), "persons": rnd.randint(1, 4), "metres": rnd.randint(0, 5)}.items() if rnd.random() < 0.5}
        v = model.version.get(some, 1)
        step("PATCH /bookings/" + some, model.ask(model.amend_ticket, some, v, new), new, v)
    elif dice < 0.76:
        new = {k: v for k, v in {"departs": max(0, model.minute + rnd.randint(10, 2000)), "persons": rnd.randint(3, 9), "metres": rnd.randint(3, 15)}.items() if rnd.random() < 0.5}
        v = model.version[n]
        step("PATCH /sailings/" + n, model.ask(model.amend_ship, n, v, new), new, v)
    elif dice < 0.82:
        f = {"from": model.minute + rnd.choice([rnd.randint(0, 90), rnd.randint(0, 1500)]), "person_fare": rnd.randint(0, 99), "metre_fare": rnd.randint(0, 9)}
        step("POST /sailings/%s/fares" % n, model.ask(model.plan, n, f), f)
    elif dice < 0.835 and i > 25:
        step("POST /sailings/%s/withdraw" % n, model.ask(model.withdraw, n))
    elif dice < 0.94:
        now = model.minute + (rnd.randint(0, 70) if rnd.random() < 0.85 else rnd.randint(0, 500))
        step("PUT /clock", model.ask(model.put_clock, now), {"now": now})
    else:
        step("GET /sailings/%s/bookings" % n, model.ask(model.bookings_of, n))
step("GET /report", (200, model.report()))
steps.append({"restart": {"by": "kill"}})
step("GET /sailings/b1/fares", model.ask(model.fares, "b1"))
step("PUT /clock", model.ask(model.put_clock, 5000), {"now": 5000})
for n in names:
    step("GET /sailings/%s/bookings" % n, model.ask(model.bookings_of, n))
for i in range(6):
    seq = rnd.randint(0, len(model.feed))
    then = model.then(seq)
    step("GET /report?at=%d" % seq, (200, then.report()))
    step("GET /sailings/b1/bookings?at=%d" % seq, then.ask(then.bookings_of, "b1"))
for after in range(0, len(model.feed) + 1, 100):
    step("GET /changes?limit=100&after=%d" % after, (200, {"changes": model.feed[after:after + 100], "last": len(model.feed)}))
print(json.dumps({"steps": steps}))
