"""Replies to forms: begun or sent, each by the questions of its own edition."""
from answers import examine, fault, pruned
from errors import bad_answers, conflict, not_found
from passage import Passage, lost_ways
from patches import Patch
from places import Places


class Replies:
    def __init__(self, store, forms, blocks):
        self._store = store
        self._forms = forms
        self._passage = Passage(blocks)
        self._replies = store.tables["replies"]

    def get(self, reply_id):
        if reply_id not in self._replies:
            raise not_found("no-such-reply")
        return self._replies[reply_id]

    def add(self, form_id, fields):
        self._forms.get_open(form_id)
        for earlier in self.of(form_id, by=fields["by"]):
            raise conflict("replied", reply=earlier["id"])
        reply = {"form": form_id, "by": fields["by"], "edition": self._forms.latest(form_id),
                 "state": "sent" if fields["send"] else "begun"}
        reply["answers"] = self._judged(reply, fields["answers"])
        self._check_places(reply)
        return self._keep({"id": self._next_number(), **reply})

    def replace_answers(self, reply_id, answers):
        reply = self.get(reply_id)
        self._forms.get_open(reply["form"])
        replaced = {**reply, "answers": self._judged(reply, answers)}
        self._check_places(replaced)
        return self._keep(replaced)

    def change_answers(self, reply_id, answers):
        reply = self._begun(reply_id)
        questions = self._questions(reply)
        patch = Patch(questions, reply["answers"], answers)
        _refuse_any(patch.faults_of(examine(questions, patch.answers)))
        return self._keep({**reply, "answers": pruned(questions, patch.answers)})

    def send(self, reply_id):
        reply = self._begun(reply_id)
        findings = self._examined(reply)
        _refuse_any(findings.faults_where(lambda _way: False))
        sent = {**reply, "state": "sent", "answers": findings.asked}
        self._check_places(sent)
        return self._keep(sent)

    def remove(self, reply_id):
        self.get(reply_id)
        self._store.remove("replies", reply_id)

    def of(self, form_id, **wanted):
        """The replies to a form that have all values that are wanted."""
        self._forms.get(form_id)
        return [reply for reply in self._replies.values() if reply["form"] == form_id
                and all(reply[key] == value for key, value in wanted.items())]

    def sent_to(self, form_id, **wanted):
        return self.of(form_id, state="sent", **wanted)

    def places(self, form_id, without=None):
        """The places of the latest edition, less what sent replies take."""
        latest = self._forms.latest(form_id)
        places = Places(self._forms.questions(form_id, latest))
        for reply in self.sent_to(form_id):
            if reply["id"] != without:
                places.take(self.answers_in(reply, latest))
        return places

    def _check_places(self, reply):
        """Refuses a sent reply that finds no place."""
        if reply["state"] == "sent":
            latest = self._forms.latest(reply["form"])
            places = self.places(reply["form"], without=reply.get("id"))
            lacking = places.take(self.answers_in(reply, latest))
            if lacking:
                raise conflict("full", at=lacking)

    def shown(self, reply):
        """The reply as it is answered."""
        if reply["state"] == "sent":
            return reply
        findings = self._examined(reply)
        return {**reply, "answers": findings.asked, "open": findings.missing}

    def seen(self, reply, edition):
        """The reply as it is answered when it is seen in an edition."""
        questions = self._forms.questions(reply["form"], edition)
        if edition < reply["edition"]:
            raise conflict("earlier-edition")
        answers = self.answers_in(reply, edition)
        own = self._questions(reply)
        lost = lost_ways(own, self.answers_in(reply, reply["edition"]), questions, answers)
        return {**reply, "edition": edition, "answers": answers,
                "open": examine(questions, answers).missing, "lost": lost}

    def answers_in(self, reply, edition):
        """The answers that are asked, taken along to an edition that is not earlier."""
        editions = [self._forms.questions(reply["form"], number)
                    for number in range(reply["edition"], edition + 1)]
        return self._passage.taken_along(editions, self._examined(reply).asked)

    def move(self, reply_id, edition=None):
        """Moves a reply, and returns it with what is lost by that."""
        reply = self.get(reply_id)
        edition = edition or self._forms.latest(reply["form"])
        self._forms.questions(reply["form"], edition)
        self._forms.get_open(reply["form"])
        seen = self.seen(reply, edition)
        if edition == reply["edition"]:
            raise conflict("same-edition")
        if reply["state"] == "sent":
            _refuse_any([fault(way, "missing") for way in seen["open"]])
        moved = self._keep({**reply, "edition": edition, "answers": seen["answers"]})
        return moved, seen["lost"]

    def _questions(self, reply):
        return self._forms.questions(reply["form"], reply["edition"])

    def _examined(self, reply):
        return examine(self._questions(reply), reply["answers"])

    def _judged(self, reply, answers):
        """The answers as they are kept, if nothing in them is wrong."""
        findings = examine(self._questions(reply), answers)
        _refuse_any(findings.faults_where(complete=reply["state"] == "sent"))
        return findings.asked

    def _begun(self, reply_id):
        reply = self.get(reply_id)
        if reply["state"] == "sent":
            raise conflict("sent")
        self._forms.get_open(reply["form"])
        return reply

    def _keep(self, reply):
        self._store.put("replies", reply["id"], reply)
        return reply

    def _next_number(self):
        number = self._store.tables["numbers"].get("replies", 0) + 1
        self._store.put("numbers", "replies", number)
        return "R%d" % number


def _refuse_any(faults):
    if faults:
        raise bad_answers(faults)
