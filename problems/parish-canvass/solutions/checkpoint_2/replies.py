"""Replies to forms: begun or sent, each by the questions of its own edition."""
from answers import judged, missing
from errors import conflict, not_found


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
        merged = self._judged(reply, {**reply["answers"], **answers})
        return self._keep({**reply, "answers": merged})

    def send(self, reply_id):
        sent = {**self._begun(reply_id), "state": "sent"}
        self._judged(sent, sent["answers"])
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

    def shown(self, reply):
        """The reply as it is answered."""
        if reply["state"] == "sent":
            return reply
        return {**reply, "open": missing(self._questions(reply), reply["answers"])}

    def _questions(self, reply):
        return self._forms.edition(reply["form"], reply["edition"])["questions"]

    def _judged(self, reply, answers):
        return judged(self._questions(reply), answers, complete=reply["state"] == "sent")

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
