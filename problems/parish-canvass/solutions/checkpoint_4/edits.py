"""Edits of a draft: what each one looks like, and what it does to title and questions."""
import copy

from conditions import with_tests, with_value
from errors import Refusal, conflict, edit_refused
from identity import Keys
from questions import (SIMPLE_KINDS, UNCHANGED, changed, converted, question, walk,
                       wrong_places)
from shapes import (ABSENT, Field, an_object, items, line, name, one_of, read_fields,
                    reader_of)

new_properties = reader_of(lambda value: isinstance(value, dict) and value)


class Workbench:
    """Title and questions while edits are done; a place is a list of questions and a position."""

    def __init__(self, draft):
        self.title = draft["title"]
        self.questions = copy.deepcopy(draft["questions"])
        self.revision = draft["revision"] + 1
        self.keys = Keys(self.revision)

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

    def change_tests_of(self, question_id, change):
        """Changes what conditions ask of a question."""
        for _, one in walk(self.questions):
            if "when" in one:
                one["when"] = with_tests(one["when"], lambda test: change(test)
                                         if test["question"] == question_id else test)

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
    siblings.insert(beside[1], bench.keys.give_all(edit["question"]))


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
    before = siblings[position]
    siblings[position] = bench.keys.give_options(
        _right(changed, edit["set"], before), before.get("option_keys", {}))


def convert(bench, edit):
    siblings, position = bench.find(edit["question"])
    before = siblings[position]
    if before["kind"] in (edit["kind"], "group"):
        raise edit_refused("bad-question")
    after = _right(converted, edit["set"], before, edit["kind"])
    siblings[position] = bench.keys.give_options(after, {})


def _right(make, new, *of):
    """What is made with new properties, if it is right in itself."""
    if any(key in UNCHANGED for key in new):
        raise edit_refused("bad-question")
    try:
        return make(*of, new)
    except Refusal:
        raise edit_refused("bad-question")


def rename(bench, edit):
    siblings, position = bench.find(edit["question"])
    if edit["to"] in bench.ids():
        raise edit_refused("question-exists")
    siblings[position]["id"] = edit["to"]
    bench.change_tests_of(edit["question"], lambda test: {**test, "question": edit["to"]})


def rename_option(bench, edit):
    siblings, position = bench.find(edit["question"])
    question, old, new = siblings[position], edit["option"], edit["to"]
    options = question.get("options", [])
    if old not in options or new in options:
        raise edit_refused("bad-question")
    question["options"] = [new if option == old else option for option in options]
    question["option_keys"][new] = question["option_keys"].pop(old)
    bench.change_tests_of(edit["question"], lambda test: with_value(test, old, new))


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
    "rename": (rename, [QUESTION, Field("to", name)]),
    "option": (rename_option, [QUESTION, Field("option", line), Field("to", line)]),
    "convert": (convert, [QUESTION, Field("kind", one_of(*SIMPLE_KINDS)),
                          Field("set", an_object, {})]),
}


def edit(value, at, _before=None):
    """The reader of an edit: which fields it has depends on what it does."""
    do = value.get("do") if isinstance(value, dict) else None
    own = EDITS[do][1] if isinstance(do, str) and do in EDITS else []
    return read_fields([Field("do", one_of(*EDITS))] + own, value, at)


edits = items(1, 50, edit)


def edited(draft, edits):
    """The draft when all edits are done, in the next revision."""
    bench = Workbench(draft)
    for index, one in enumerate(edits):
        try:
            EDITS[one["do"]][0](bench, one)
        except Refusal as refusal:
            refusal.body["edit"] = index
            raise
    for way in wrong_places(bench.questions):
        raise conflict("draft-wrong", at=way)
    return {"revision": bench.revision, "title": bench.title, "questions": bench.questions}
