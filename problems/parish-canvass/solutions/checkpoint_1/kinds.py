"""The kinds of questions: their own fields, what is wrong with an answer, and sums of answers."""
from collections import Counter

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


class Text:
    fields = [Field("longest", whole(1, 500), 200)]

    @staticmethod
    def fault(question, value):
        if not isinstance(value, str):
            return "wrong-kind"
        return "too-long" if len(value) > question["longest"] else None

    @staticmethod
    def sums(_question, _values):
        return {}


class Number:
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


class Choice:
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


class Flag:
    fields = []

    @staticmethod
    def fault(_question, value):
        return None if isinstance(value, bool) else "wrong-kind"

    @staticmethod
    def sums(_question, values):
        return {"yes": values.count(True), "no": values.count(False)}


KINDS = {"text": Text, "number": Number, "choice": Choice, "flag": Flag}


def kind_of(question):
    return KINDS[question["kind"]]
