"""Reads the questions of a form, and goes through them."""
import ways
from conditions import condition, names
from errors import bad_input
from identity import HIDDEN
from kinds import KINDS
from shapes import ABSENT, Field, an_object, flag, items, line, name, one_of, read_fields

MOST_QUESTIONS = 40
MOST_IN_GROUP = 20
LABEL_AND_NEEDED = [Field("label", line), Field("needed", flag, False)]
WHEN = Field("when", condition, ABSENT)
BASIC_KINDS = ("text", "number", "choice", "flag")
UNCHANGED = ("id", "kind", "questions", "block") + HIDDEN
KEPT_IN_CONVERSION = ("id", "key", "label", "needed", "when")
KINDS_IN_GROUPS = tuple(kind for kind in KINDS if kind != "group")


def question_of(*kinds):
    """The reader of a question of one of the kinds, on which its further fields depend."""
    def read(value, at, _before=None):
        kind = an_object(value, at).get("kind")
        own = _own_fields(kind) if isinstance(kind, str) and kind in kinds else []
        return read_fields([Field("id", name), Field("kind", one_of(*kinds)), *LABEL_AND_NEEDED,
                            *own, WHEN], value, at)
    return read


def _own_fields(kind):
    return KINDS[kind].fields + ([INNER] if kind == "group" else [])


INNER = Field("questions", items(1, MOST_IN_GROUP, question_of(*KINDS_IN_GROUPS)))
question = question_of(*KINDS)
questions = items(1, MOST_QUESTIONS, question)
block_question = question_of(*BASIC_KINDS)
block_questions = items(1, MOST_QUESTIONS, block_question)


def changed(before, new):
    """The question with new properties; what may be missing goes away where it is `None`."""
    optional = {field.name for field in KINDS[before["kind"]].fields + [WHEN]
                if field.default is ABSENT}
    merged = {key: value for key, value in {**before, **new}.items()
              if value is not None or key not in optional}
    fixed = {key: merged.pop(key) for key in UNCHANGED if key in merged}
    fields = LABEL_AND_NEEDED + KINDS[before["kind"]].fields + [WHEN]
    return {**fixed, **read_fields([field for field in fields if field.name not in fixed], merged)}


def converted(before, kind, new):
    """The question as one of another kind."""
    base = {key: before[key] for key in KEPT_IN_CONVERSION if key in before}
    return changed({**base, "kind": kind}, new)


def walk(questions, at="questions"):
    """All questions with their ways, a group before what is inside it."""
    for index, one in enumerate(questions):
        way = ways.item(at, index)
        yield way, one
        yield from walk(one.get("questions", []), ways.into(way, "questions"))


def wrong_places(questions, at="questions", most=MOST_QUESTIONS, known=()):
    """The ways to lists that are too short or long, and to conditions on what does not stand before."""
    if not 1 <= len(questions) <= most:
        yield at
    before = set(known)
    for index, one in enumerate(questions):
        way = ways.item(at, index)
        if not names(one.get("when")) <= before:
            yield ways.into(way, "when")
        if "questions" in one:
            inside = ways.into(way, "questions")
            yield from wrong_places(one["questions"], inside, MOST_IN_GROUP, before)
        before.add(one["id"])


def check_new(questions):
    """Refuses ids that were there before, then conditions on what does not stand before."""
    seen = set()
    for way, one in walk(questions):
        if one["id"] in seen:
            raise bad_input(ways.into(way, "id"))
        seen.add(one["id"])
    for way in wrong_places(questions):
        raise bad_input(way)
