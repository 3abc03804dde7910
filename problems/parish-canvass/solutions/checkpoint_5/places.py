"""Places: options that only so many answers can have."""
from collections import Counter

from answers import leaves


class Places:
    """What is taken of the places of the questions of an edition."""

    def __init__(self, questions):
        self._questions = questions
        self._taken = Counter()

    def take(self, answers):
        """Takes what the answers need, and returns the ways to those that found no place."""
        lacking = []
        for leaf in leaves(self._questions, answers):
            there_are = leaf.question.get("places", {}).get(leaf.value)
            if there_are is not None:
                if self._taken[leaf.keys, leaf.value] >= there_are:
                    lacking.append(leaf.way)
                self._taken[leaf.keys, leaf.value] += 1
        return lacking

    def free(self, keys, question):
        return {option: max(0, there_are - self._taken[keys, option])
                for option, there_are in question["places"].items()}
