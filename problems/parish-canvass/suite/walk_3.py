"""A random walk over one form with conditions and a group; the model says what is right."""
import sys

from model import Office
from walks import Walk

walk = Walk("walk-3-" + sys.argv[1])
form = walk.form()
office = Office(form)
questions = office.editions[0]
walk.step("POST /forms/walk/replies", (404, {"error": "no-such-form"}), {"by": "A", "answers": {}})
walk.steps.append({"request": {"send": "POST /forms", "json": form, "expect": {"status": 201}}})
for turn in range(60):
    dice = walk.rnd.random()
    rid = walk.pick(list(office.replies)) if office.replies else None
    if dice < 0.35 or rid is None:
        body = {"by": "P%d" % walk.rnd.randint(0, 30), "answers": walk.some_answers(questions), "send": dice < 0.1}
        walk.step("POST /forms/walk/replies", office.post(body["by"], body["answers"], body["send"]), body)
    elif dice < 0.7:
        changes = walk.patch(questions)
        walk.step("PATCH /replies/" + rid, office.patch(rid, changes), {"answers": changes})
    elif dice < 0.85:
        answers = walk.some_answers(questions)
        walk.step("PUT /replies/" + rid, office.put(rid, answers), {"answers": answers})
    elif dice < 0.93:
        walk.step("POST /replies/%s/send" % rid, office.send(rid))
    else:
        walk.step("GET /replies/" + rid, (200, office.show(office.replies[rid])))
walk.crash()
for rid in list(office.replies)[:6]:
    walk.step("GET /replies/" + rid, (200, office.show(office.replies[rid])))
walk.step("GET /forms/walk/summary", office.summary())
walk.done()
