"""Patches of answers: single ones in the entries of groups, too."""
import re

from answers import fault

WAY = re.compile(r"([^.\[\]]+)\[(0|[1-9][0-9]{0,8})\]\.([^.\[\]]+)\Z")


class Patch:
    """The answers of a reply with some of them changed; wholes are changed before their parts."""

    def __init__(self, questions, answers, changes):
        self.faults = []
        self._questions = {question["id"]: question for question in questions}
        self._given = [way for way, value in changes.items() if value not in (None, "")]
        self.answers = dict(answers)
        inside = {way: value for way, value in changes.items() if WAY.match(way)}
        self.answers.update((way, changes[way]) for way in changes if way not in inside)
        for way, value in inside.items():
            if not self._set_inside(WAY.match(way), value):
                self.faults.append(fault(way, "unknown"))

    def _set_inside(self, match, value):
        """Sets one answer in an entry, if it is there."""
        group_id, index, question_id = match.group(1), int(match.group(2)), match.group(3)
        entries = self.answers.get(group_id)
        inner = self._questions.get(group_id, {}).get("questions", [])
        if question_id not in [question["id"] for question in inner]:
            return False
        if not isinstance(entries, list) or index >= len(entries):
            return False
        if not isinstance(entries[index], dict):
            return False
        changed = {**entries[index], question_id: value}
        self.answers[group_id] = entries[:index] + [changed] + entries[index + 1:]
        return True

    def names(self, way):
        """Whether an answer at that way, or in a whole at it, comes from the patch."""
        return any(way == given or way.startswith(given + "[") for given in self._given)

    def faults_of(self, findings):
        """What is told of the answers with the patch done."""
        within = [fault(given, "not-asked") for given in self._given for way in findings.not_asked
                  if given.startswith(way + "[") and fault(given, "unknown") not in self.faults]
        return self.faults + within + findings.faults_where(self.names, complete=False)
