"""Judges the answers of a reply by the questions of its edition, and sums answers up."""
from collections import namedtuple

import ways
from conditions import holds
from kinds import kind_of

Leaf = namedtuple("Leaf", "identity way value")


class Findings:
    """What is found in answers: which of them are asked, and ways to all that is not as it should be."""

    def __init__(self):
        self.asked = {}
        self.faults = []
        self.not_asked = []
        self.missing = []

    def faults_where(self, tells_not_asked=lambda _way: True, complete=True):
        """The faults as they are told."""
        not_asked = [fault(way, "not-asked") for way in self.not_asked if tells_not_asked(way)]
        missing = [fault(way, "missing") for way in self.missing] if complete else []
        return self.faults + not_asked + missing


def fault(at, what):
    return {"at": at, "fault": what}


def examine(questions, answers):
    findings = Findings()
    findings.asked = _examine(questions, answers, "", {}, findings)
    return findings


def _examine(questions, answers, at, outside, findings):
    """Returns the answers that are asked and right; all else becomes findings."""
    ids = {question["id"] for question in questions}
    findings.faults += [fault(ways.into(at, key), "unknown") for key in answers if key not in ids]
    known = dict(outside)
    asked = {}
    for question in questions:
        way = ways.into(at, question["id"])
        value = answers.get(question["id"])
        if _is_to_be_kept(question, value, way, known, findings):
            parts = [_examine(question["questions"], part, part_way, known, findings)
                     for part_way, part in kind_of(question).parts(value, way)]
            asked[question["id"]] = kind_of(question).joined(value, parts)
            known[question["id"]] = kind_of(question).known_as(value)
    return asked


def _is_to_be_kept(question, value, way, known, findings):
    """Whether there is an answer that is asked and, as a whole, right."""
    is_given = kind_of(question).is_given(value)
    if not holds(question.get("when"), known):
        findings.not_asked += [way] if is_given else []
        return False
    if not is_given:
        findings.missing += [way] if question["needed"] else []
        return False
    what = kind_of(question).fault(question, value)
    findings.faults += [fault(way, what)] if what else []
    return not what


def pruned(questions, answers):
    """Right answers without those that count as none, whether asked or not."""
    kept = {}
    for question in questions:
        value = answers.get(question["id"])
        kind = kind_of(question)
        if kind.is_given(value):
            parts = [pruned(question["questions"], part) for _, part in kind.parts(value, "")]
            kept[question["id"]] = kind.joined(value, parts)
    return kept


def leaves(questions, answers, way="", identity=()):
    """All single answers, in the order of the form."""
    for question in questions:
        if question["id"] not in answers:
            continue
        value = answers[question["id"]]
        here = ways.into(way, question["id"])
        known_as = identity + (question["key"],)
        if "questions" not in question:
            yield Leaf(known_as, here, value)
            continue
        for index, (part_way, part) in enumerate(kind_of(question).parts(value, here)):
            yield from leaves(question["questions"], part, part_way, known_as + (index,))


def summary(questions, all_answers):
    return [_sums(question, all_answers) for question in questions]


def _sums(question, all_answers):
    kind = kind_of(question)
    values = [answers[question["id"]] for answers in all_answers if question["id"] in answers]
    sums = {"id": question["id"], "given": len(values), **kind.sums(question, values)}
    if "questions" in question:
        parts = [part for value in values for _, part in kind.parts(value, "")]
        sums["questions"] = summary(question["questions"], parts)
    return sums
