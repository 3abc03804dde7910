"""The kinds of questions: their own fields, what is wrong with an answer, and sums of answers."""
from collections import Counter

import ways
from errors import bad_input
from shapes import ABSENT, Field, is_whole, items, line, whole

LIMIT = whole(-1000000, 1000000)
LINES = items(1, 12, line)


def options(value, at, _before):
    """The reader of the options of a choice."""
    lines = LINES(value, at)
    for index, option in enumerate(lines):
        if option in lines[:index]:
            raise bad_input("%s[%d]" % (at, index))
    return lines


def limit_above(field, limit):
    """The reader of an upper limit, which is not below the lower one in the other field."""
    def read(value, at, before):
        if limit(value, at) < before.get(field, value):
            raise bad_input(at)
        return value
    return read


class Simple:
    """A kind whose answers are single values."""

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


class Text(Simple):
    fields = [Field("longest", whole(1, 500), 200)]

    @staticmethod
    def fault(question, value):
        if not isinstance(value, str):
            return "wrong-kind"
        return "too-long" if len(value) > question["longest"] else None

    @staticmethod
    def sums(_question, _values):
        return {}


class Number(Simple):
    fields = [Field("least", LIMIT, ABSENT), Field("most", limit_above("least", LIMIT), ABSENT)]

    @staticmethod
    def fault(question, value):
        if not is_whole(value):
            return "wrong-kind"
        if value < question.get("least", value):
            return "too-small"
        return "too-large" if value > question.get("most", value) else None

    @staticmethod
    def sums(_question, values):
        return {"sum": sum(values), "smallest": min(values, default=None),
                "largest": max(values, default=None)}


class Choice(Simple):
    fields = [Field("options", options)]

    @staticmethod
    def fault(question, value):
        if not isinstance(value, str):
            return "wrong-kind"
        return None if value in question["options"] else "not-an-option"

    @staticmethod
    def sums(question, values):
        taken = Counter(values)
        return {"counts": {option: taken[option] for option in question["options"]}}


class Flag(Simple):
    fields = []

    @staticmethod
    def fault(_question, value):
        return None if isinstance(value, bool) else "wrong-kind"

    @staticmethod
    def sums(_question, values):
        return {"yes": values.count(True), "no": values.count(False)}


class Group:
    fields = [Field("fewest", whole(0, 20), 0),
              Field("most", limit_above("fewest", whole(1, 20)), 20)]

    @staticmethod
    def is_given(value):
        return Simple.is_given(value) and value != []

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
    def sums(_question, values):
        return {"entries": sum(map(len, values))}


KINDS = {"text": Text, "number": Number, "choice": Choice, "flag": Flag,
         "group": Group}


def kind_of(question):
    return KINDS[question["kind"]]
