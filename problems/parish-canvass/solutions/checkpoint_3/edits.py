"""Edits of a draft: what each one looks like, and what it does to title and questions."""
import copy

from errors import Refusal, conflict, edit_refused
from questions import changed, question, walk, wrong_places
from shapes import ABSENT, Field, items, line, name, one_of, read_fields, reader_of

FIXED = ("id", "kind", "questions")

new_properties = reader_of(lambda value: isinstance(value, dict) and value)


class Workbench:
    """Title and questions while edits are done; a place is a list of questions and a position."""

    def __init__(self, title, questions):
        self.title = title
        self.questions = copy.deepcopy(questions)

    def ids(self):
        return {one["id"] for _, one in walk(self.questions)}

    def find(self, question_id):
        for siblings in self._lists():
            for position, one in enumerate(siblings):
                if one["id"] == question_id:
                    return siblings, position
        raise edit_refused("no-such-question")

    def list_of(self, group_id):
        """The list of questions of a group, or None if that is no group."""
        siblings, position = self.find(group_id)
        return siblings[position].get("questions")

    def _lists(self):
        return [self.questions] + [one["questions"] for one in self.questions if "questions" in one]


def set_title(bench, edit):
    bench.title = edit["title"]


def add(bench, edit):
    siblings = bench.list_of(edit["into"]) if "into" in edit else bench.questions
    beside = bench.find(edit["before"]) if "before" in edit else (siblings, len(siblings or []))
    _check_ids(bench, edit["question"])
    if siblings is None or beside[0] is not siblings or (
            "questions" in edit["question"] and siblings is not bench.questions):
        raise edit_refused("elsewhere")
    siblings.insert(beside[1], copy.deepcopy(edit["question"]))


def _check_ids(bench, question):
    """Refuses a question if its id, or one inside it, is there already."""
    new = [one["id"] for _, one in walk([question])]
    if bench.ids().intersection(new) or len(set(new)) < len(new):
        raise edit_refused("question-exists")


def remove(bench, edit):
    siblings, position = bench.find(edit["question"])
    del siblings[position]


def change(bench, edit):
    siblings, position = bench.find(edit["question"])
    if any(key in FIXED for key in edit["set"]):
        raise edit_refused("bad-question")
    try:
        siblings[position] = changed(siblings[position], edit["set"])
    except Refusal:
        raise edit_refused("bad-question")


def place(bench, edit):
    siblings, position = bench.find(edit["question"])
    others = bench.find(edit["before"])[0] if "before" in edit else siblings
    if others is not siblings:
        raise edit_refused("elsewhere")
    if edit.get("before") != edit["question"]:
        moved = siblings.pop(position)
        goes_to = bench.find(edit["before"])[1] if "before" in edit else len(siblings)
        siblings.insert(goes_to, moved)


QUESTION = Field("question", name)
BEFORE = Field("before", name, ABSENT)
EDITS = {
    "title": (set_title, [Field("title", line)]),
    "add": (add, [Field("question", question), Field("into", name, ABSENT), BEFORE]),
    "remove": (remove, [QUESTION]),
    "change": (change, [QUESTION, Field("set", new_properties)]),
    "place": (place, [QUESTION, BEFORE]),
}


def edit(value, at, _before=None):
    """The reader of an edit: which fields it has depends on what it does."""
    do = value.get("do") if isinstance(value, dict) else None
    own = EDITS[do][1] if isinstance(do, str) and do in EDITS else []
    return read_fields([Field("do", one_of(*EDITS))] + own, value, at)


edits = items(1, 50, edit)


def edited(draft, edits):
    """The draft when all edits are done, in the next revision."""
    bench = Workbench(draft["title"], draft["questions"])
    for index, one in enumerate(edits):
        try:
            EDITS[one["do"]][0](bench, one)
        except Refusal as refusal:
            refusal.body["edit"] = index
            raise
    for way in wrong_places(bench.questions):
        raise conflict("draft-wrong", at=way)
    return {"revision": draft["revision"] + 1, "title": bench.title, "questions": bench.questions}
