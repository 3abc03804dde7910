"""Replies to forms: begun or sent, each by the questions of its own edition."""
from answers import examine, pruned
from errors import bad_answers, conflict, not_found
from patches import Patch


class Replies:
    def __init__(self, store, forms):
        self._store = store
        self._forms = forms
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
        return self._keep({"id": self._next_number(), **reply})

    def replace_answers(self, reply_id, answers):
        reply = self.get(reply_id)
        self._forms.get_open(reply["form"])
        return self._keep({**reply, "answers": self._judged(reply, answers)})

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
        return self._keep({**reply, "state": "sent", "answers": findings.asked})

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

    def shown(self, reply):
        """The reply as it is answered."""
        if reply["state"] == "sent":
            return reply
        findings = self._examined(reply)
        return {**reply, "answers": findings.asked, "open": findings.missing}

    def _questions(self, reply):
        return self._forms.edition(reply["form"], reply["edition"])["questions"]

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
