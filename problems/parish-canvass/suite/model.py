"""A slow model of forms and replies, written from the specs; it shares nothing with any solution.

Whether a question is asked is found by asking back from it, not by going through the form; what
stays the same in a later edition is known by numbers that are given once.
"""
import copy
import itertools
import json
import re

FRESH = itertools.count(1)


def blank(q, v):
    return v is None or v == "" and isinstance(v, str) or q["kind"] == "group" and v == []


def whole(v):
    return isinstance(v, int) and not isinstance(v, bool)


def wrong(q, v):
    """The fault of an answer by itself, or None."""
    if q["kind"] == "text":
        return "wrong-kind" if not isinstance(v, str) else "too-long" if len(v) > q["longest"] else None
    if q["kind"] == "flag":
        return None if v is True or v is False else "wrong-kind"
    if q["kind"] == "choice":
        return "wrong-kind" if not isinstance(v, str) else None if v in q["options"] else "not-an-option"
    if q["kind"] == "number":
        if not whole(v):
            return "wrong-kind"
        return "too-small" if v < q.get("least", v) else "too-large" if v > q.get("most", v) else None
    if not isinstance(v, list) or any(not isinstance(e, dict) for e in v):
        return "wrong-kind"
    return "too-few" if len(v) < q["fewest"] else "too-many" if len(v) > q["most"] else None


class Sheet:
    """Answers to a list of questions, inside an outer sheet or not."""

    def __init__(self, questions, answers, at="", outer=None):
        self.questions, self.answers, self.at, self.outer = questions, answers, at, outer

    def known(self, name):
        """What conditions take as the answer to a question; None if there is none."""
        for q in self.questions:
            if q["id"] == name:
                v = self.answers.get(name)
                if blank(q, v) or not self.asked(q) or wrong(q, v):
                    return None
                return len(v) if q["kind"] == "group" else v
        return self.outer.known(name)

    def asked(self, q):
        return "when" not in q or self.holds(q["when"])

    def holds(self, c):
        for word, fold in (("all", all), ("any", any)):
            if word in c:
                return fold([self.holds(x) for x in c[word]])
        if "not" in c:
            return not self.holds(c["not"])
        v = self.known(c["question"])
        if "given" in c:
            return (v is not None) == c["given"]
        if v is None:
            return False
        if "is" in c or "in" in c:
            return json.dumps(v) in [json.dumps(x) for x in ([c["is"]] if "is" in c else c["in"])]
        return whole(v) and (v > c["over"] if "over" in c else v < c["under"])

    def entries(self, q):
        return [Sheet(q["questions"], e, "%s%s[%d]." % (self.at, q["id"], n), self)
                for n, e in enumerate(self.answers[q["id"]])]

    def faults(self):
        names = [q["id"] for q in self.questions]
        out = [(self.at + k, "unknown") for k in self.answers if k not in names]
        for q in self.questions:
            v, way = self.answers.get(q["id"]), self.at + q["id"]
            if blank(q, v):
                if q["needed"] and self.asked(q):
                    out.append((way, "missing"))
            elif not self.asked(q):
                out.append((way, "not-asked"))
            elif wrong(q, v):
                out.append((way, wrong(q, v)))
            elif q["kind"] == "group":
                for e in self.entries(q):
                    out += e.faults()
        return out

    def kept(self, asleep=False):
        """The answers that are asked, or all that are any."""
        out = {}
        for q in self.questions:
            v = self.answers.get(q["id"])
            if not blank(q, v) and (asleep or self.asked(q)):
                out[q["id"]] = [e.kept(asleep) for e in self.entries(q)] if q["kind"] == "group" else v
        return out


def told(faults):
    return 422, {"error": "bad-answers", "faults": [{"at": a, "fault": f} for a, f in faults]}


class Office:
    """One form and its replies."""

    def __init__(self, form):
        self.form = form["id"]
        self.title = form["title"]
        self.draft = self.marked(form["questions"])
        self.editions = [copy.deepcopy(self.draft)]
        self.revision = 0
        self.replies = {}
        self.number = 0

    def marked(self, questions):
        """The questions with defaults, and with numbers that stay."""
        out = copy.deepcopy(questions)
        for q in out:
            q["mark"] = next(FRESH)
            q.setdefault("needed", False)
            if q["kind"] == "text":
                q.setdefault("longest", 200)
            if q["kind"] == "choice":
                q["marks"] = [next(FRESH) for _ in q["options"]]
            if q["kind"] == "group":
                q.setdefault("fewest", 0)
                q.setdefault("most", 20)
                q["questions"] = self.marked(q["questions"])
        return out

    def plain(self, questions):
        out = [{k: v for k, v in q.items() if k not in ("mark", "marks")} for q in questions]
        return [{**q, "questions": self.plain(q["questions"])} if "questions" in q else q for q in out]

    def show_draft(self):
        return {"form": self.form, "revision": self.revision, "title": self.title,
                "questions": self.plain(self.draft)}

    def sheet(self, r, answers=None):
        return Sheet(self.editions[r["edition"] - 1], r["answers"] if answers is None else answers)

    def show(self, r):
        s = self.sheet(r)
        out = {**r, "answers": s.kept()}
        if r["state"] == "begun":
            out["open"] = [a for a, f in s.faults() if f == "missing"]
        return out

    def judge(self, s, state, pardon=()):
        return [(a, f) for a, f in s.faults()
                if not (f == "missing" and state == "begun") and (f, a) not in pardon]

    def post(self, by, answers, send):
        for r in self.replies.values():
            if r["by"] == by:
                return 409, {"error": "replied", "reply": r["id"]}
        r = {"id": "", "form": self.form, "by": by, "edition": len(self.editions),
             "state": "sent" if send else "begun", "answers": answers}
        bad = self.judge(self.sheet(r), r["state"])
        if bad:
            return told(bad)
        self.number += 1
        r["id"] = "R%d" % self.number
        r["answers"] = self.sheet(r).kept()
        self.replies[r["id"]] = r
        return 201, self.show(r)

    def put(self, rid, answers):
        r = self.replies[rid]
        bad = self.judge(self.sheet(r, answers), r["state"])
        if bad:
            return told(bad)
        r["answers"] = self.sheet(r, answers).kept()
        return 200, self.show(r)

    def patch(self, rid, changes):
        r = self.replies[rid]
        if r["state"] == "sent":
            return 409, {"error": "sent"}
        new, lost = copy.deepcopy(r["answers"]), []
        groups = {q["id"]: [x["id"] for x in q["questions"]]
                  for q in self.editions[r["edition"] - 1] if q["kind"] == "group"}
        for way in sorted(changes, key=lambda way: "." in way):
            m = re.match(r"(\w+)\[(\d)\]\.(\w+)$", way)
            if not m:
                new[way] = copy.deepcopy(changes[way])
            elif m[3] in groups.get(m[1], []) and isinstance(new.get(m[1]), list) \
                    and int(m[2]) < len(new[m[1]]) and isinstance(new[m[1]][int(m[2])], dict):
                new[m[1]][int(m[2])][m[3]] = changes[way]
            else:
                lost.append((way, "unknown"))
        bad = list(lost)
        given = [w for w, v in changes.items() if v is not None and v != ""]
        for at, what in self.judge(self.sheet(r, new), "begun"):
            if what != "not-asked" or any(re.match(re.escape(w) + r"(\[|$)", at) for w in given):
                bad.append((at, what))
            if what == "not-asked":
                bad += [(w, what) for w in given if w.startswith(at + "[") and (w, "unknown") not in lost]
        if bad:
            return told(bad)
        r["answers"] = self.sheet(r, new).kept(asleep=True)
        return 200, self.show(r)

    def send(self, rid):
        r = self.replies[rid]
        if r["state"] == "sent":
            return 409, {"error": "sent"}
        lacking = [(a, f) for a, f in self.sheet(r).faults() if f == "missing"]
        if lacking:
            return told(lacking)
        r.update(answers=self.sheet(r).kept(), state="sent")
        return 200, self.show(r)

    def publish(self):
        self.editions.append(copy.deepcopy(self.draft))
        return 201, {"form": self.form, "edition": len(self.editions), "title": self.title,
                     "questions": self.plain(self.draft)}

    # What stays the same

    def answer_marks(self, questions, answers, at=""):
        """Way by marks, of every single answer."""
        out = {}
        for q in questions:
            if q["id"] in answers and q["kind"] == "group":
                for n, e in enumerate(answers[q["id"]]):
                    inner = self.answer_marks(q["questions"], e, "%s%s[%d]." % (at, q["id"], n))
                    out.update({(q["mark"], n) + m: w for m, w in inner.items()})
            elif q["id"] in answers:
                out[(q["mark"],)] = at + q["id"]
        return out

    def turned(self, old, new, v):
        if new["kind"] == "group":
            v = [self.moved(old["questions"], new["questions"], e) for e in v[:new["most"]]]
        elif new["kind"] == old["kind"] == "choice":
            mark = old["marks"][old["options"].index(v)]
            v = new["options"][new["marks"].index(mark)] if mark in new["marks"] else v
        elif new["kind"] != old["kind"]:
            text = {True: "yes", False: "no"}[v] if isinstance(v, bool) else str(v)
            v = {"text": text, "choice": text, "flag": {"yes": True, "no": False}.get(text),
                 "number": int(text) if re.match(r"(?:0|-?[1-9][0-9]*)$", text) else None}[new["kind"]]
        if new["kind"] == "text":
            v = v[:new["longest"]]
        return None if v is None or wrong(new, v) else v

    def moved(self, olds, news, answers):
        out = {}
        for new in news:
            for old in olds:
                if old["mark"] == new["mark"] and old["id"] in answers:
                    v = self.turned(old, new, answers[old["id"]])
                    if v is not None:
                        out[new["id"]] = v
        return out

    def seen(self, r, edition):
        own = self.editions[r["edition"] - 1]
        answers = self.sheet(r).kept()
        before = self.answer_marks(own, answers)
        for n in range(r["edition"], edition):
            news = self.editions[n]
            answers = Sheet(news, self.moved(self.editions[n - 1], news, answers)).kept()
        now = self.answer_marks(self.editions[edition - 1], answers)
        lacks = [a for a, f in Sheet(self.editions[edition - 1], answers).faults() if f == "missing"]
        return {**r, "edition": edition, "answers": answers, "open": lacks,
                "lost": [w for m, w in before.items() if m not in now]}

    def list_as(self, edition):
        return 200, {"replies": [self.seen(r, edition) for r in self.replies.values()
                                 if r["edition"] <= edition]}

    def move(self, rid):
        r, last = self.replies[rid], len(self.editions)
        if r["edition"] == last:
            return 409, {"error": "same-edition"}
        s = self.seen(r, last)
        if r["state"] == "sent" and s["open"]:
            return told([(a, "missing") for a in s["open"]])
        r.update(edition=last, answers=s["answers"])
        return 200, {**self.show(r), "lost": s["lost"]}

    def summary(self, everything=True):
        last = len(self.editions)
        sheets = [self.seen(r, last)["answers"] for r in self.replies.values()
                  if r["state"] == "sent" and (everything or r["edition"] == last)]
        return 200, {"form": self.form, "edition": last, "replies": len(sheets),
                     "questions": self.sums(self.editions[-1], sheets)}

    def sums(self, questions, sheets):
        out = []
        for q in questions:
            vs = [s[q["id"]] for s in sheets if q["id"] in s]
            row = {"id": q["id"], "given": len(vs)}
            if q["kind"] == "number":
                row.update(sum=sum(vs), smallest=min(vs) if vs else None, largest=max(vs) if vs else None)
            elif q["kind"] == "choice":
                row["counts"] = {o: vs.count(o) for o in q["options"]}
            elif q["kind"] == "flag":
                row.update(yes=sum(v is True for v in vs), no=sum(v is False for v in vs))
            elif q["kind"] == "group":
                row.update(entries=sum(map(len, vs)), questions=self.sums(q["questions"], sum(vs, [])))
            out.append(row)
        return out
