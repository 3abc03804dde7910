"""Takes answers from one edition of a form to the next."""
from answers import examine, leaves
from kinds import kind_of


def taken_along(editions, answers):
    """The answers by the questions of the last of the editions, from those by the first."""
    for older, newer in zip(editions, editions[1:]):
        answers = examine(newer, _step(older, newer, answers)).asked
    return answers


def lost_ways(older, answers, newer, newer_answers):
    """The ways to what is in the older answers only."""
    left = {leaf.identity for leaf in leaves(newer, newer_answers)}
    return [leaf.way for leaf in leaves(older, answers) if leaf.identity not in left]


def _step(older, newer, answers):
    earlier = {question["key"]: question for question in older}
    result = {}
    for question in newer:
        before = earlier.get(question["key"])
        if before and before["id"] in answers:
            value = _answer_step(before, question, answers[before["id"]])
            if value is not None:
                result[question["id"]] = value
    return result


def _answer_step(before, question, value):
    """The answer to a question that is the same in a newer edition, or None if it is lost."""
    kind = kind_of(question)
    if before["kind"] != question["kind"]:
        value = kind.from_text(kind_of(before).to_text(value))
    else:
        value = kind.renewed(before, question, value)
    value = None if value is None else kind.limited(question, value)
    if value is None or kind.fault(question, value):
        return None
    parts = [_step(before["questions"], question["questions"], part)
             for _, part in kind.parts(value, "")]
    return kind.joined(value, parts)
