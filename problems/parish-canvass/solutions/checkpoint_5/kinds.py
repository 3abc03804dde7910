"""The kinds of questions: their own fields, what is wrong with an answer, and sums of answers."""
import re
from collections import Counter

import ways
from errors import bad_input
from shapes import ABSENT, Field, is_whole, items, line, name, whole

LIMIT = whole(-1000000, 1000000)
LINES = items(1, 12, line)
WHOLE_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)\Z")
LATEST = 0
PLACES = whole(1, 10000)
FLAGS = {"yes": True, "no": False}


def options(value, at, _before):
    """The reader of the options of a choice."""
    lines = LINES(value, at)
    for index, option in enumerate(lines):
        if option in lines[:index]:
            raise bad_input("%s[%d]" % (at, index))
    return lines


def places(value, at, before):
    """The reader of how many answers may have an option."""
    if not isinstance(value, dict) or not value or set(value) - set(before["options"]):
        raise bad_input(at)
    return {option: PLACES(number, at) for option, number in value.items()}


def limit_above(field, limit):
    """The reader of an upper limit, which is not below the lower one in the other field."""
    def read(value, at, before):
        if limit(value, at) < before.get(field, value):
            raise bad_input(at)
        return value
    return read


class Kind:
    """What holds for kinds whose answers are single values, and for others unless they differ."""

    @staticmethod
    def is_given(value):
        return value is not None and value != ""

    @staticmethod
    def known_as(value):
        """What conditions take the answer for."""
        return value

    @staticmethod
    def parts(_value, _way):
        """The objects inside an answer, each with its way."""
        return []

    @staticmethod
    def joined(value, _parts):
        """The answer with other parts."""
        return value

    @staticmethod
    def seen_inside(known):
        """What conditions inside an answer know of the questions around it."""
        return known

    @staticmethod
    def is_empty(_parts):
        """Whether, going by what is found in its parts, nothing that is asked is answered."""
        return False

    @staticmethod
    def to_text(value):
        return value

    @staticmethod
    def from_text(text):
        """The answer that a text stands for, or None if there is none."""
        return text

    @staticmethod
    def renewed(_before, _question, value):
        """The answer to an older state of the question in words of the newer one."""
        return value

    @staticmethod
    def limited(_question, value):
        """What there is of an answer within the limits of its question."""
        return value


class Text(Kind):
    fields = [Field("longest", whole(1, 500), 200)]

    @staticmethod
    def fault(question, value):
        if not isinstance(value, str):
            return "wrong-kind"
        return "too-long" if len(value) > question["longest"] else None

    @staticmethod
    def limited(question, value):
        return value[:question["longest"]]

    @staticmethod
    def sums(_question, _values):
        return {}


class Number(Kind):
    fields = [Field("least", LIMIT, ABSENT), Field("most", limit_above("least", LIMIT), ABSENT)]

    @staticmethod
    def fault(question, value):
        if not is_whole(value):
            return "wrong-kind"
        if value < question.get("least", value):
            return "too-small"
        return "too-large" if value > question.get("most", value) else None

    @staticmethod
    def to_text(value):
        return str(value)

    @staticmethod
    def from_text(text):
        return int(text) if WHOLE_NUMBER.match(text) else None

    @staticmethod
    def sums(_question, values):
        return {"sum": sum(values), "smallest": min(values, default=None),
                "largest": max(values, default=None)}


class Choice(Kind):
    fields = [Field("options", options), Field("places", places, ABSENT)]

    @staticmethod
    def fault(question, value):
        if not isinstance(value, str):
            return "wrong-kind"
        return None if value in question["options"] else "not-an-option"

    @staticmethod
    def renewed(before, question, value):
        key = before["option_keys"][value]
        renamed = [option for option, known in question["option_keys"].items() if known == key]
        return renamed[0] if renamed else value

    @staticmethod
    def sums(question, values):
        taken = Counter(values)
        return {"counts": {option: taken[option] for option in question["options"]}}


class Flag(Kind):
    fields = []

    @staticmethod
    def fault(_question, value):
        return None if isinstance(value, bool) else "wrong-kind"

    @staticmethod
    def to_text(value):
        return "yes" if value else "no"

    @staticmethod
    def from_text(text):
        return FLAGS.get(text)

    @staticmethod
    def sums(_question, values):
        return {"yes": values.count(True), "no": values.count(False)}


class Group(Kind):
    """Questions that are answered several times over."""

    fields = [Field("fewest", whole(0, 20), 0),
              Field("most", limit_above("fewest", whole(1, 20)), 20)]

    @staticmethod
    def is_given(value):
        return Kind.is_given(value) and value != []

    @staticmethod
    def fault(question, value):
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            return "wrong-kind"
        if len(value) < question["fewest"]:
            return "too-few"
        return "too-many" if len(value) > question["most"] else None

    @staticmethod
    def known_as(value):
        return len(value)

    @staticmethod
    def parts(value, way):
        return [(ways.item(way, index), entry) for index, entry in enumerate(value)]

    @staticmethod
    def joined(_value, parts):
        return parts

    @staticmethod
    def limited(question, value):
        return value[:question["most"]]

    @staticmethod
    def sums(_question, values):
        return {"entries": sum(map(len, values))}


class Block(Kind):
    """Questions of another paper, which are answered as one."""

    fields = [Field("block", name), Field("edition", whole(1, 999999), LATEST)]

    @staticmethod
    def is_given(value):
        if isinstance(value, dict):
            return any(map(Kind.is_given, value.values()))
        return Kind.is_given(value)

    @staticmethod
    def fault(_question, value):
        return None if isinstance(value, dict) else "wrong-kind"

    @staticmethod
    def parts(value, way):
        return [(way, value)]

    @staticmethod
    def joined(_value, parts):
        return parts[0]

    @staticmethod
    def seen_inside(_known):
        return {}

    @staticmethod
    def is_empty(parts):
        return not parts[0].asked and not parts[0].faults

    @staticmethod
    def sums(_question, _values):
        return {}


KINDS = {"text": Text, "number": Number, "choice": Choice, "flag": Flag,
         "group": Group, "block": Block}


def kind_of(question):
    return KINDS[question["kind"]]
