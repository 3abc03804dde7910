"""A random walk with holds, waiting lists and a clock that jumps; the model says what is right."""
import json
import random
import sys

from model_2 import Model

rnd = random.Random("walk-2-" + sys.argv[1])
model = Model()
steps = []


def step(send, answer, body=None, headers=None):
    status, want = answer
    r = {"send": send, "expect": {"status": status, "body": {"json": json.loads(json.dumps(want))}}}
    if body is not None:
        r["json"] = body
    if headers:
        r["headers"] = headers
    steps.append({"request": r})


names = ["s1", "s2"]
for n in names:
    s = {"id": n, "from": "A", "to": "B", "departs": rnd.randint(1500, 2600), "persons": rnd.randint(3, 8),
         "metres": rnd.randint(4, 14), "person_fare": rnd.randint(1, 999), "metre_fare": rnd.randint(0, 99)}
    step("POST /sailings", model.ask(model.add_ship, dict(s)), s)
for i in range(55):
    dice = rnd.random()
    some = "B%d" % rnd.randint(max(1, len(model.tickets) - 12), len(model.tickets) + 1)
    if dice < 0.5:
        o = {"sailing": rnd.choice(names), "name": "N%d" % i, "persons": rnd.randint(1, 4)}
        if rnd.random() < 0.7:
            o["metres"] = rnd.randint(0, 6)
        if rnd.random() < 0.6:
            o["hold"] = rnd.randint(1, 90)
        if rnd.random() < 0.8:
            o["wait"] = rnd.random() < 0.9
        step("POST /bookings", model.ask(model.book, o), o)
    elif dice < 0.62:
        step("POST /bookings/%s/cancel" % some, model.ask(model.cancel, some))
    elif dice < 0.7:
        step("POST /bookings/%s/confirm" % some, model.ask(model.confirm, some))
    elif dice < 0.88:
        now = model.minute + (rnd.randint(0, 60) if rnd.random() < 0.85 else rnd.randint(-2, 500))
        now = max(now, 0)
        step("PUT /clock", model.ask(model.put_clock, now), {"now": now})
    elif dice < 0.94:
        step("GET /sailings/" + names[0], (200, model.show_ship(model.ship(names[0]))))
    else:
        step("GET /sailings/s2/bookings", model.ask(model.bookings_of, "s2"))
for n in names:
    step("GET /sailings/%s/bookings" % n, model.ask(model.bookings_of, n))
steps.append({"restart": {"by": "kill"}})
step("PUT /clock", model.ask(model.put_clock, 3000), {"now": 3000})
for n in names:
    step("GET /sailings/%s/bookings" % n, model.ask(model.bookings_of, n))
print(json.dumps({"steps": steps}))
