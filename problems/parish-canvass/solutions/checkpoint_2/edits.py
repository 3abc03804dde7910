"""Edits of a draft: what each one looks like, and what it does to title and questions."""
from errors import Refusal, conflict, edit_refused
from questions import MOST_QUESTIONS, changed, question
from shapes import ABSENT, Field, items, line, name, one_of, read_fields, reader_of

FIXED = ("id", "kind")

new_properties = reader_of(lambda value: isinstance(value, dict) and value)


class Workbench:
    """Title and questions while edits are done."""

    def __init__(self, title, questions):
        self.title = title
        self.questions = list(questions)

    def position(self, question_id):
        for position, one in enumerate(self.questions):
            if one["id"] == question_id:
                return position
        raise edit_refused("no-such-question")

    def position_before(self, edit):
        """Where something goes that stands before the question that the edit names, if any."""
        return self.position(edit["before"]) if "before" in edit else len(self.questions)


def set_title(bench, edit):
    bench.title = edit["title"]


def add(bench, edit):
    position = bench.position_before(edit)
    if any(one["id"] == edit["question"]["id"] for one in bench.questions):
        raise edit_refused("question-exists")
    bench.questions.insert(position, edit["question"])


def remove(bench, edit):
    del bench.questions[bench.position(edit["question"])]


def change(bench, edit):
    position = bench.position(edit["question"])
    if any(key in FIXED for key in edit["set"]):
        raise edit_refused("bad-question")
    try:
        bench.questions[position] = changed(bench.questions[position], edit["set"])
    except Refusal:
        raise edit_refused("bad-question")


def place(bench, edit):
    position = bench.position(edit["question"])
    bench.position_before(edit)
    if edit.get("before") != edit["question"]:
        moved = bench.questions.pop(position)
        bench.questions.insert(bench.position_before(edit), moved)


QUESTION = Field("question", name)
BEFORE = Field("before", name, ABSENT)
EDITS = {
    "title": (set_title, [Field("title", line)]),
    "add": (add, [Field("question", question), BEFORE]),
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
    if not 1 <= len(bench.questions) <= MOST_QUESTIONS:
        raise conflict("draft-wrong", at="questions")
    return {"revision": draft["revision"] + 1, "title": bench.title, "questions": bench.questions}
