"""Forms: their editions, and the draft of the next one."""
import json
import re

from edits import edited
from errors import conflict, not_found
from identity import Keys, shown
from questions import check_new

NUMBER = re.compile(r"[1-9][0-9]{0,8}\Z")


class Forms:
    def __init__(self, store):
        self._store = store
        self._forms = store.tables["forms"]

    def ids(self):
        return list(self._forms)

    def get(self, form_id):
        if form_id not in self._forms:
            raise not_found("no-such-form")
        return self._forms[form_id]

    def get_open(self, form_id):
        form = self.get(form_id)
        if form["state"] == "closed":
            raise conflict("closed")
        return form

    def add(self, fields):
        check_new(fields["questions"])
        if fields["id"] in self._forms:
            raise conflict("form-exists")
        keys = Keys(0)
        first = {"title": fields["title"],
                 "questions": [keys.give_all(question) for question in fields["questions"]]}
        self._keep({"id": fields["id"], "state": "open", "editions": [first],
                    "draft": {"revision": 0, **first}})

    def set_state(self, form_id, state):
        form = self.get(form_id)
        if form["state"] == state:
            raise conflict(state)
        self._keep({**form, "state": state})

    def latest(self, form_id):
        return len(self.get(form_id)["editions"])

    def questions(self, form_id, number):
        """The questions of an edition, with their keys."""
        return self._edition(form_id, number)["questions"]

    def edition(self, form_id, number):
        return {"form": form_id, "edition": number, **_shown(self._edition(form_id, number))}

    def edition_named(self, form_id, text):
        self.get(form_id)
        if not NUMBER.match(text):
            raise not_found("no-such-edition")
        return self.edition(form_id, int(text))

    def draft(self, form_id):
        return {"form": form_id, **_shown(self.get(form_id)["draft"])}

    def edit(self, form_id, revision, edits):
        form = self.get(form_id)
        present = form["draft"]["revision"]
        if revision != present:
            raise conflict("stale", revision=present)
        self._keep({**form, "draft": edited(form["draft"], edits)})
        return self.draft(form_id)

    def publish(self, form_id):
        form = self.get(form_id)
        edition = {key: form["draft"][key] for key in ("title", "questions")}
        if _canonical(_shown(edition)) == _canonical(_shown(form["editions"][-1])):
            raise conflict("nothing-new")
        self._keep({**form, "editions": form["editions"] + [edition]})
        return self.edition(form_id, self.latest(form_id))

    def _edition(self, form_id, number):
        editions = self.get(form_id)["editions"]
        if number > len(editions):
            raise not_found("no-such-edition")
        return editions[number - 1]

    def _keep(self, form):
        self._store.put("forms", form["id"], form)


def _shown(edition):
    """An edition or a draft as others see it."""
    return {**edition, "questions": shown(edition["questions"])}


def _canonical(value):
    """The same text for equal values only, where 1 is not true."""
    return json.dumps(value, sort_keys=True)
