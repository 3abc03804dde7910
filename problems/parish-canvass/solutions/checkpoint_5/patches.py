"""Patches of answers: single ones in the entries of groups and in blocks, too."""
import re

from answers import fault

PART = r"[^.\[\]]+"
WAY = re.compile(r"%s(\[(0|[1-9][0-9]{0,8})\])?(\.%s){1,2}\Z" % (PART, PART))
STEP = re.compile(PART)


class NotThere(Exception):
    """A way leads to nothing."""


class Patch:
    """The answers of a reply with some of them changed; wholes are changed before their parts."""

    def __init__(self, questions, answers, changes):
        self.faults = []
        self._given = [way for way, value in changes.items() if value not in (None, "")]
        inside = sorted((way for way in changes if WAY.match(way)), key=lambda way: way.count("."))
        self.answers = {**answers, **{way: changes[way] for way in changes if way not in inside}}
        for way in inside:
            try:
                self.answers = _with(questions, self.answers, STEP.findall(way), changes[way])
            except NotThere:
                self.faults.append(fault(way, "unknown"))

    def names(self, way):
        """Whether an answer at that way, or in a whole at it, comes from the patch."""
        return any(way == given or _is_inside(way, given) for given in self._given)

    def faults_of(self, findings):
        """What is told of the answers with the patch done."""
        within = [fault(given, "not-asked") for given in self._given
                  if any(_is_inside(given, way) for way in findings.not_asked)
                  and fault(given, "unknown") not in self.faults]
        return self.faults + within + findings.faults_where(self.names, complete=False)


def _is_inside(way, whole):
    return way.startswith((whole + "[", whole + "."))


def _with(questions, answers, steps, value):
    """The answers with another value at the end of the steps."""
    name, *further = steps
    question = next((one for one in questions if one["id"] == name), None)
    if question is None:
        raise NotThere
    if not further:
        return {**answers, name: value}
    if question["kind"] == "group":
        return {**answers, name: _with_entry(question, answers.get(name), further, value)}
    if question["kind"] != "block":
        raise NotThere
    inside = answers.get(name) or {}
    if not isinstance(inside, dict):
        raise NotThere
    return {**answers, name: _with(question["questions"], inside, further, value)}


def _with_entry(group, entries, steps, value):
    index = int(steps[0]) if steps[0].isdigit() else None
    if index is None or not isinstance(entries, list) or index >= len(entries):
        raise NotThere
    if not isinstance(entries[index], dict):
        raise NotThere
    changed = _with(group["questions"], entries[index], steps[1:], value)
    return entries[:index] + [changed] + entries[index + 1:]
