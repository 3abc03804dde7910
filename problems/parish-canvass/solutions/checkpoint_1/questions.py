"""Reads the questions of a form."""
import ways
from errors import bad_input
from kinds import KINDS
from shapes import Field, an_object, flag, items, line, name, one_of, read_fields

COMMON = [Field("id", name), Field("kind", one_of(*KINDS)), Field("label", line),
          Field("needed", flag, False)]


def question(value, at, _before=None):
    """The reader of a question: which fields it has depends on its kind."""
    kind = an_object(value, at).get("kind")
    own = KINDS[kind].fields if isinstance(kind, str) and kind in KINDS else []
    return read_fields(COMMON + own, value, at)


questions = items(1, 40, question)


def check_ids(questions):
    """Refuses an id that was there before."""
    seen = set()
    for index, one in enumerate(questions):
        if one["id"] in seen:
            raise bad_input(ways.into(ways.item("questions", index), "id"))
        seen.add(one["id"])
