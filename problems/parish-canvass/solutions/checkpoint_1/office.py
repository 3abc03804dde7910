"""The office: forms and the replies to them."""
from answers import judged, summary
from errors import conflict, not_found
from questions import check_ids


class Office:
    def __init__(self, store):
        self._store = store
        self._forms = store.tables["forms"]
        self._replies = store.tables["replies"]

    def add_form(self, fields):
        check_ids(fields["questions"])
        if fields["id"] in self._forms:
            raise conflict("form-exists")
        self._store.put("forms", fields["id"], {**fields, "state": "open"})
        return self.form(fields["id"])

    def form(self, form_id):
        return {**self._form(form_id), "replies": len(self._replies_to(form_id))}

    def forms(self):
        return [{key: value for key, value in self.form(form_id).items() if key != "questions"}
                for form_id in self._forms]

    def set_state(self, form_id, state):
        form = self._form(form_id)
        if form["state"] == state:
            raise conflict(state)
        self._store.put("forms", form_id, {**form, "state": state})
        return self.form(form_id)

    def add_reply(self, form_id, fields):
        form = self._open_form(form_id)
        for earlier in self.replies(form_id, fields["by"]):
            raise conflict("replied", reply=earlier["id"])
        answers = judged(form["questions"], fields["answers"])
        reply_id = self._next_number()
        return self._keep({"id": reply_id, "form": form_id, "by": fields["by"], "answers": answers})

    def reply(self, reply_id):
        if reply_id not in self._replies:
            raise not_found("no-such-reply")
        return self._replies[reply_id]

    def replace_answers(self, reply_id, answers):
        reply = self.reply(reply_id)
        form = self._open_form(reply["form"])
        return self._keep({**reply, "answers": judged(form["questions"], answers)})

    def remove_reply(self, reply_id):
        self.reply(reply_id)
        self._store.remove("replies", reply_id)

    def replies(self, form_id, by=None):
        self._form(form_id)
        return [reply for reply in self._replies_to(form_id) if by in (None, reply["by"])]

    def summary(self, form_id):
        questions = self._form(form_id)["questions"]
        replies = self._replies_to(form_id)
        sums = summary(questions, [reply["answers"] for reply in replies])
        return {"form": form_id, "replies": len(replies), "questions": sums}

    def _form(self, form_id):
        if form_id not in self._forms:
            raise not_found("no-such-form")
        return self._forms[form_id]

    def _open_form(self, form_id):
        form = self._form(form_id)
        if form["state"] == "closed":
            raise conflict("closed")
        return form

    def _replies_to(self, form_id):
        return [reply for reply in self._replies.values() if reply["form"] == form_id]

    def _keep(self, reply):
        self._store.put("replies", reply["id"], reply)
        return reply

    def _next_number(self):
        number = self._store.tables["numbers"].get("replies", 0) + 1
        self._store.put("numbers", "replies", number)
        return "R%d" % number
