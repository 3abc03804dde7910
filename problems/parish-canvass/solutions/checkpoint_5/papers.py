"""Papers: what has editions and a draft of the next one. Forms and blocks are papers."""
import json
import re

from edits import TITLE, edited, names_in
from errors import Refusal, conflict, edit_refused, not_found
from identity import Keys, shown
from questions import check_new, walk

NUMBER = re.compile(r"[1-9][0-9]{0,8}\Z")


class Papers:
    """All papers of one sort, whose name is also that of their table and of keys in answers."""

    sort = None

    def __init__(self, store):
        self._store = store
        self._papers = store.tables[self.sort + "s"]

    def ids(self):
        return list(self._papers)

    def get(self, paper_id):
        if paper_id not in self._papers:
            raise not_found("no-such-" + self.sort)
        return self._papers[paper_id]

    def add(self, fields):
        check_new(fields["questions"])
        asked = self._complete(fields["questions"])
        if fields["id"] in self._papers:
            raise conflict(self.sort + "-exists")
        keys = Keys(0)
        first = {"title": fields["title"],
                 "questions": [keys.give_all(question) for question in asked]}
        self._keep({"id": fields["id"], "state": "open", "editions": [first], "touched": [],
                    "draft": {"revision": 0, **first}})

    def latest(self, paper_id):
        return len(self.get(paper_id)["editions"])

    def questions(self, paper_id, number):
        """The questions of an edition, with their keys and all that is inside them."""
        return self._resolved(self._edition(paper_id, number)["questions"])

    def edition(self, paper_id, number):
        return {self.sort: paper_id, "edition": number,
                **self._shown(self._edition(paper_id, number))}

    def edition_named(self, paper_id, text):
        self.get(paper_id)
        if not NUMBER.match(text):
            raise not_found("no-such-edition")
        return self.edition(paper_id, int(text))

    def draft(self, paper_id):
        return {self.sort: paper_id, **self._shown(self.get(paper_id)["draft"])}

    def edit(self, paper_id, revision, edits, merge):
        paper = self.get(paper_id)
        present = paper["draft"]["revision"]
        if revision > present or revision < present and not merge:
            raise conflict("stale", revision=present)
        _check_clashes(edits, paper["touched"][revision:], present)
        draft, touched = edited(paper["draft"], edits, self._complete_in_edit)
        self._keep({**paper, "draft": draft, "touched": paper["touched"] + [sorted(touched)]})
        return self.draft(paper_id)

    def publish(self, paper_id):
        paper = self.get(paper_id)
        edition = {key: paper["draft"][key] for key in ("title", "questions")}
        if _canonical(self._shown(edition)) == _canonical(self._shown(paper["editions"][-1])):
            raise conflict("nothing-new")
        self._keep({**paper, "editions": paper["editions"] + [edition]})
        return self.edition(paper_id, self.latest(paper_id))

    def _edition(self, paper_id, number):
        editions = self.get(paper_id)["editions"]
        if number > len(editions):
            raise not_found("no-such-edition")
        return editions[number - 1]

    def _complete(self, questions):
        """The questions with all that depends on other papers."""
        return questions

    def _resolved(self, questions):
        """The questions with the questions of blocks inside."""
        return questions

    def _complete_in_edit(self, question):
        try:
            return self._complete([question])[0]
        except Refusal as refusal:
            raise edit_refused(refusal.body["error"])

    def _shown(self, edition):
        """An edition or a draft as others see it."""
        return {**edition, "questions": shown(self._resolved(edition["questions"]))}

    def _keep(self, paper):
        self._store.put(self.sort + "s", paper["id"], paper)


class Blocks(Papers):
    sort = "block"

    def between(self, block_id, older, newer):
        """The questions of the editions on the way from one to another."""
        numbers = range(older, newer + 1) if newer >= older else (older, newer)
        return [self.questions(block_id, number) for number in numbers]


class Forms(Papers):
    sort = "form"

    def __init__(self, store, blocks):
        super().__init__(store)
        self._blocks = blocks

    def get_open(self, form_id):
        form = self.get(form_id)
        if form["state"] == "closed":
            raise conflict("closed")
        return form

    def set_state(self, form_id, state):
        form = self.get(form_id)
        if form["state"] == state:
            raise conflict(state)
        self._keep({**form, "state": state})

    def using(self, block_id):
        """The ids of the forms whose latest edition uses a block."""
        return sorted(form_id for form_id, form in self._papers.items()
                      if any(one.get("block") == block_id
                             for _, one in walk(form["editions"][-1]["questions"])))

    def _complete(self, questions):
        return _with_blocks(questions, self._complete_block)

    def _complete_block(self, question):
        number = question["edition"] or self._blocks.latest(question["block"])
        self._blocks.edition(question["block"], number)
        return {**question, "edition": number}

    def _resolved(self, questions):
        return _with_blocks(questions, lambda one: {
            **one, "questions": self._blocks.questions(one["block"], one["edition"])})


def _with_blocks(questions, change):
    """The questions with each block changed, in groups, too."""
    return [change(one) if one["kind"] == "block"
            else {**one, "questions": _with_blocks(one["questions"], change)}
            if "questions" in one else one for one in questions]


def _check_clashes(edits, later, present):
    touched = {name for names in later for name in names}
    clashes = [name for name in dict.fromkeys(names_in(edits)) if name in touched]
    if clashes:
        names = [name for name in clashes if name != TITLE]
        raise conflict("clash", revision=present, questions=names, title=TITLE in clashes)


def _canonical(value):
    """The same text for equal values only, where 1 is not true."""
    return json.dumps(value, sort_keys=True)
