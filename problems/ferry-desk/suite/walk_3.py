"""A random walk of several clerks; the model says what is right."""
import json
import random
import sys

from model_3 import Model

rnd = random.Random("walk-3-" + sys.argv[1])
model = Model()
steps = []


def step(send, answer, body=None, version=None, name=None):
    status, want = answer
    r = {"send": send, "expect": {"status": status, "body": {"json": json.loads(json.dumps(want))}}}
    if body is not None:
        r["json"] = body
    if version is not None:
        r["headers"] = {"If-Match": '"%d"' % version}
    if status in (200, 201) and "id" in want:
        r["expect"]["headers"] = {"ETag": {"equals": '"%d"' % model.version[want["id"]]}}
    steps.append({"request": r})


def version_of(name):
    n = model.version.get(name, 1)
    return n if rnd.random() < 0.85 else n + 1


names = ["s1", "s2"]
for n in names:
    s = {"id": n, "from": "A", "to": "B", "departs": rnd.randint(1200, 2000), "persons": rnd.randint(3, 8),
         "metres": rnd.randint(4, 14), "person_fare": rnd.randint(1, 999), "metre_fare": rnd.randint(0, 99)}
    step("POST /sailings", model.ask(model.add_ship, dict(s)), s)
for i in range(60):
    dice = rnd.random()
    some = "B%d" % rnd.randint(max(1, len(model.tickets) - 12), len(model.tickets) + 1)
    if dice < 0.4:
        o = {"sailing": rnd.choice(names), "name": "N%d" % i, "persons": rnd.randint(1, 4)}
        if rnd.random() < 0.7:
            o["metres"] = rnd.randint(0, 6)
        if rnd.random() < 0.6:
            o["hold"] = rnd.choice([rnd.randint(1, 90), rnd.randint(400, 2000)])
        if rnd.random() < 0.8:
            o["wait"] = True
        step("POST /bookings", model.ask(model.book, o), o)
    elif dice < 0.48:
        v = version_of(some) if rnd.random() < 0.5 else None
        step("POST /bookings/%s/cancel" % some, model.ask(model.cancel, some, v), None, v)
    elif dice < 0.54:
        v = version_of(some) if rnd.random() < 0.5 else None
        step("POST /bookings/%s/confirm" % some, model.ask(model.confirm, some, v), None, v)
    elif dice < 0.7:
        new = {k: v for k, v in {"name": "M%d" % (i % 3), "persons": rnd.randint(1, 4), "metres": rnd.randint(0, 5)}.items() if rnd.random() < 0.5}
        v = version_of(some)
        step("PATCH /bookings/" + some, model.ask(model.amend_ticket, some, v, new), new, v)
    elif dice < 0.8:
        n = rnd.choice(names)
        new = {k: v for k, v in {"departs": max(0, model.minute + rnd.randint(-20, 900)), "persons": rnd.randint(2, 9), "metres": rnd.randint(3, 15), "person_fare": rnd.randint(1, 99)}.items() if rnd.random() < 0.4}
        v = version_of(n)
        step("PATCH /sailings/" + n, model.ask(model.amend_ship, n, v, new), new, v)
    elif dice < 0.92:
        now = model.minute + (rnd.randint(0, 60) if rnd.random() < 0.85 else rnd.randint(0, 400))
        step("PUT /clock", model.ask(model.put_clock, now), {"now": now})
    else:
        step("GET /bookings?limit=100", model.all())


def feed():
    for after in range(0, len(model.feed) + 1, 100):
        step("GET /changes?limit=100&after=%d" % after, (200, {"changes": model.feed[after:after + 100], "last": len(model.feed)}))


feed()
steps.append({"restart": {"by": "kill"}})
step("PUT /clock", model.ask(model.put_clock, 3500), {"now": 3500})
step("GET /bookings?limit=100", model.all())
feed()
print(json.dumps({"steps": steps}))
