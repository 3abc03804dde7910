"""A random walk over the editions of a form; the model says how replies are seen in them."""
import copy
import sys

from model import FRESH, Office
from walks import WORDS, Walk

walk = Walk("walk-4-" + sys.argv[1])
form = walk.form()
office = Office(form)
names = iter("n%d" % number for number in range(100))


def everything(questions):
    return [x for q in questions for x in [q] + q.get("questions", [])]


def named(condition):
    if "question" in condition:
        return {condition["question"]}
    parts = [condition["not"]] if "not" in condition else condition.get("all") or condition["any"]
    return set().union(*map(named, parts))


def tests(condition):
    if "question" in condition:
        return [condition]
    parts = [condition["not"]] if "not" in condition else condition.get("all") or condition["any"]
    return [test for part in parts for test in tests(part)]


def tests_of(name):
    return [test for q in everything(office.draft) if "when" in q for test in tests(q["when"])
            if test["question"] == name]


def rename(q):
    new = next(names)
    edit = {"do": "rename", "question": q["id"], "to": new}
    for test in tests_of(q["id"]):
        test["question"] = new
    q["id"] = new
    return edit


def rename_option(q):
    if q["kind"] != "choice":
        return rename(q)
    old = walk.pick(q["options"])
    new = walk.pick([word for word in WORDS + ["new"] if word not in q["options"]])
    for test in tests_of(q["id"]):
        if test.get("is") == old:
            test["is"] = new
        if "in" in test:
            test["in"] = [new if v == old else v for v in test["in"]]
    q["options"][q["options"].index(old)] = new
    return {"do": "option", "question": q["id"], "option": old, "to": new}


def change(q):
    if q["kind"] == "choice":
        options = walk.rnd.sample(WORDS, 3)
        q["marks"] = [q["marks"][q["options"].index(o)] if o in q["options"] else next(FRESH) for o in options]
        new = {"options": list(options)}
    elif q["kind"] == "number":
        new = {"least": walk.rnd.randint(-3, 1), "most": walk.rnd.randint(1, 6)}
    elif q["kind"] == "text":
        new = {"longest": walk.rnd.randint(1, 6)}
    elif q["kind"] == "group":
        new = {"fewest": walk.rnd.randint(0, 2), "most": walk.rnd.randint(2, 3)}
    else:
        new = {"needed": walk.rnd.random() < 0.5}
    q.update(copy.deepcopy(new))
    return {"do": "change", "question": q["id"], "set": new}


def convert(q):
    if q["kind"] == "group":
        return change(q)
    kind = walk.pick([k for k in ("text", "number", "choice", "flag") if k != q["kind"]])
    for key in ("longest", "least", "most", "options", "marks"):
        q.pop(key, None)
    q["kind"] = kind
    edit = {"do": "convert", "question": q["id"], "kind": kind}
    if kind == "text":
        q["longest"] = 200
    if kind == "choice":
        options = walk.rnd.sample(WORDS, 5)
        q.update(options=list(options), marks=[next(FRESH) for _ in options])
        edit["set"] = {"options": options}
    return edit


def replace(q):
    """The question goes, and another one of its name comes."""
    if q["kind"] == "group" or tests_of(q["id"]):
        return change(q)
    lists = [office.draft] + [x["questions"] for x in office.draft if x["kind"] == "group"]
    siblings = next(x for x in lists if any(y is q for y in x))
    new = walk.question(q["id"], [])
    siblings[:] = [x for x in siblings if x is not q] + office.marked([new])
    group = [x["id"] for x in office.draft if x.get("questions") is siblings]
    into = {"into": group[0]} if group else {}
    return [{"do": "remove", "question": q["id"]}, {"do": "add", "question": new, **into}]


def edit_and_publish():
    edits = []
    for _ in range(walk.rnd.randint(1, 3)):
        q = walk.pick(everything(office.draft))
        one = walk.pick([rename, rename_option, change, convert, convert, replace])(q)
        if len(everything(office.draft)) > 1 and (not isinstance(one, list) or len(one) == 2):
            edits += one if isinstance(one, list) else [one]
    office.title = "Walk %d" % office.revision
    edits.append({"do": "title", "title": office.title})
    office.revision += 1
    body = {"revision": office.revision - 1, "edits": edits}
    walk.step("POST /forms/walk/edits", (200, office.show_draft()), body)
    walk.step("POST /forms/walk/publish", office.publish())


walk.steps.append({"request": {"send": "POST /forms", "json": form, "expect": {"status": 201}}})
for turn in range(45):
    dice = walk.rnd.random()
    rid = walk.pick(list(office.replies)) if office.replies else None
    if dice < 0.45 or rid is None:
        body = {"by": "P%d" % turn, "answers": walk.some_answers(office.editions[-1]), "send": dice < 0.3}
        walk.step("POST /forms/walk/replies", office.post(body["by"], body["answers"], body["send"]), body)
    elif dice < 0.55:
        changes = walk.patch(office.editions[office.replies[rid]["edition"] - 1])
        walk.step("PATCH /replies/" + rid, office.patch(rid, changes), {"answers": changes})
    elif dice < 0.65:
        edition = walk.rnd.randint(office.replies[rid]["edition"], len(office.editions))
        walk.step("GET /replies/%s?edition=%d" % (rid, edition), (200, office.seen(office.replies[rid], edition)))
    elif dice < 0.72:
        walk.step("POST /replies/%s/move" % rid, office.move(rid), {})
    elif dice < 0.88:
        edit_and_publish()
    else:
        walk.step("GET /forms/walk/summary?all=true", office.summary())
walk.crash()
walk.step("GET /forms/walk/replies?as=%d" % len(office.editions), office.list_as(len(office.editions)))
walk.step("GET /forms/walk/summary?all=true", office.summary())
walk.step("GET /forms/walk/summary", office.summary(False))
walk.done()
