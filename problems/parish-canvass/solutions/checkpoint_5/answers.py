"""Judges the answers of a reply by the questions of its edition, and sums answers up."""
from collections import namedtuple

import ways
from conditions import holds
from kinds import kind_of

# A single answer: the keys of its question and of what that is inside of, the places in groups.
Leaf = namedtuple("Leaf", "keys indices way question value")


def fault(at, what):
    return {"at": at, "fault": what}


class Findings:
    """What is found in answers: which of them are asked, and ways to all that is not as it should be."""

    def __init__(self, questions, answers, at="", outside=()):
        self.asked = {}
        self.faults = []
        self.not_asked = []
        self.missing = []
        self._known = dict(outside)
        ids = {question["id"] for question in questions}
        self.faults += [fault(ways.into(at, key), "unknown") for key in answers if key not in ids]
        for question in questions:
            self._look_at(question, answers.get(question["id"]), ways.into(at, question["id"]))

    def faults_where(self, tells_not_asked=lambda _way: True, complete=True):
        """The faults as they are told."""
        not_asked = [fault(way, "not-asked") for way in self.not_asked if tells_not_asked(way)]
        missing = [fault(way, "missing") for way in self.missing] if complete else []
        return self.faults + not_asked + missing

    def _look_at(self, question, value, way):
        kind = kind_of(question)
        is_given = kind.is_given(value)
        if not holds(question.get("when"), self._known):
            self.not_asked += [way] if is_given else []
        elif not is_given:
            self._lacks(question, way)
        elif kind.fault(question, value):
            self.faults.append(fault(way, kind.fault(question, value)))
        else:
            self._keep(question, value, way)

    def _lacks(self, question, way):
        if question["needed"]:
            self.missing.append(way)

    def _keep(self, question, value, way):
        """Keeps an answer that is right as a whole, and finds what is inside it."""
        kind = kind_of(question)
        parts = [Findings(question["questions"], part, part_way, kind.seen_inside(self._known))
                 for part_way, part in kind.parts(value, way)]
        for part in parts:
            self.not_asked += part.not_asked
        if kind.is_empty(parts):
            self._lacks(question, way)
            return
        for part in parts:
            self.faults += part.faults
            self.missing += part.missing
        kept = kind.joined(value, [part.asked for part in parts])
        self.asked[question["id"]] = kept
        self._known[question["id"]] = kind.known_as(kept)


def examine(questions, answers):
    return Findings(questions, answers)


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


def leaves(questions, answers, way="", keys=(), indices=()):
    """All single answers, in the order of the form."""
    for question in questions:
        if question["id"] not in answers:
            continue
        value = answers[question["id"]]
        here = ways.into(way, question["id"])
        all_keys = keys + (question["key"],)
        if "questions" not in question:
            yield Leaf(all_keys, indices, here, question, value)
            continue
        for index, (part_way, part) in enumerate(kind_of(question).parts(value, here)):
            yield from leaves(question["questions"], part, part_way, all_keys, indices + (index,))


class Summary:
    """Sums of answers, with the places that are left if they are told."""

    def __init__(self, places=None):
        self._places = places

    def of(self, questions, all_answers, keys=()):
        return [self._sums(question, all_answers, keys + (question["key"],))
                for question in questions]

    def _sums(self, question, all_answers, keys):
        kind = kind_of(question)
        values = [answers[question["id"]] for answers in all_answers if question["id"] in answers]
        sums = {"id": question["id"], "given": len(values), **kind.sums(question, values)}
        if "questions" in question:
            parts = [part for value in values for _, part in kind.parts(value, "")]
            sums["questions"] = self.of(question["questions"], parts, keys)
        if self._places and "places" in question:
            sums["free"] = self._places.free(keys, question)
        return sums
