"""What random walks have in common: forms, answers, patches, and steps with what the model says."""
import json
import random

from model import Sheet

WORDS = ["x", "y", "yes", "no", "7", "-3", "old oak"]
ORDER = {"faults": "$.faults", "lost": "$.lost", "replies": "$.replies[*].lost"}


class Walk:
    def __init__(self, seed):
        self.rnd = random.Random(seed)
        self.steps = []

    def pick(self, values):
        return values[self.rnd.randrange(len(values))]

    def step(self, send, answer, body=None):
        status, want = answer
        expect = {"json": json.loads(json.dumps(want))}
        loose = [path for key, path in ORDER.items() if key in want
                 and (key != "replies" or want[key] and want[key] != [] and isinstance(want[key], list))]
        if loose:
            expect["compare"] = {"unordered": loose}
        request = {"send": send, "expect": {"status": status, "body": expect}}
        if body is not None:
            request["json"] = body
        self.steps.append({"request": request})

    def crash(self):
        self.steps.append({"restart": {"by": "kill"}})

    def done(self):
        print(json.dumps({"steps": self.steps}))

    # Forms

    def condition(self, names, deep=2):
        dice = self.rnd.random()
        if deep and dice < 0.15:
            return {self.pick(["all", "any"]): [self.condition(names, deep - 1) for _ in range(2)]}
        if deep and dice < 0.25:
            return {"not": self.condition(names, deep - 1)}
        name = self.pick(names)
        return self.pick([{"question": name, "given": dice < 0.8}, {"question": name, "over": self.rnd.randint(0, 3)},
                          {"question": name, "under": self.rnd.randint(0, 5)},
                          {"question": name, "is": self.pick([True, False, 1, "x"])},
                          {"question": name, "in": [self.pick(WORDS), self.pick([0, 1, 2, 7]), True]}])

    def question(self, name, before, kinds=("text", "number", "choice", "flag")):
        q = {"id": name, "kind": self.pick(kinds), "label": "About " + name}
        if self.rnd.random() < 0.2:
            q["needed"] = True
        if q["kind"] == "text" and self.rnd.random() < 0.5:
            q["longest"] = self.rnd.randint(2, 8)
        if q["kind"] == "number" and self.rnd.random() < 0.5:
            q["least"] = self.rnd.randint(-4, 1)
        if q["kind"] == "number" and self.rnd.random() < 0.5:
            q["most"] = self.rnd.randint(2, 7)
        if q["kind"] == "choice":
            q["options"] = self.rnd.sample(WORDS, self.rnd.randint(2, 4))
        if before and self.rnd.random() < 0.4:
            q["when"] = self.condition(before)
        return q

    def group(self, name, inner, before):
        q = {"id": name, "kind": "group", "label": "Each " + name}
        if self.rnd.random() < 0.3:
            q["fewest"] = 1
        if self.rnd.random() < 0.5:
            q["most"] = self.rnd.randint(2, 3)
        q["questions"] = [self.question(n, before + inner[:i]) for i, n in enumerate(inner)]
        if self.rnd.random() < 0.4:
            q["when"] = self.condition(before)
        return q

    def form(self):
        return {"id": "walk", "title": "A walk", "questions": [
            self.question("a", [], ("number",)), self.question("b", ["a"]),
            self.group("g", ["p", "q", "r"], ["a", "b"]), self.question("c", ["a", "b", "g"]),
            self.question("d", ["a", "b", "g", "c"])]}

    # Answers

    def answer(self, q):
        dice = self.rnd.random()
        if dice < 0.06:
            return self.pick([None, "", 5, "x", [], True, -9])
        if q["kind"] == "group":
            return [self.answers(q["questions"]) for _ in range(self.rnd.randint(0, 3))]
        if q["kind"] == "choice":
            return self.pick(q["options"])
        return {"text": self.pick(WORDS + ["0", "007"]), "number": self.rnd.randint(-2, 7), "flag": dice < 0.6}[q["kind"]]

    def answers(self, questions):
        out = {q["id"]: self.answer(q) for q in questions if self.rnd.random() < 0.75}
        if self.rnd.random() < 0.02:
            out["zz"] = 1
        return out

    def some_answers(self, questions):
        """Answers, of which most are right as far as they go."""
        out = self.answers(questions)
        while self.rnd.random() < 0.85:
            bad = [at for at, what in Sheet(questions, out).faults() if what != "missing"]
            if not bad:
                break
            out = {k: v for k, v in out.items() if k not in [at.split("[")[0] for at in bad]}
        return out

    def patch(self, questions):
        out = {q["id"]: self.answer(q) for q in questions if self.rnd.random() < 0.35}
        for q in questions:
            if q["kind"] == "group" and self.rnd.random() < 0.7:
                inner = self.pick(q["questions"])
                out["%s[%d].%s" % (q["id"], self.rnd.randint(0, 2), inner["id"])] = self.answer(inner)
        return out
