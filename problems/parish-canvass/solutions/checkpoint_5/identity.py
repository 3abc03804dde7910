"""Which questions and options stay the same: each has a key that no edit changes.

Keys are kept with the questions, but are never shown.
"""
from itertools import count

HIDDEN = ("key", "option_keys")

class Keys:
    """New keys, none of which was there before in the same form."""

    def __init__(self, revision):
        self._new = ("%d.%d" % (revision, number) for number in count())

    def give_all(self, question):
        """The question, and what is inside it, with keys of their own."""
        keyed = self.give_options({**question, "key": next(self._new)}, {})
        if "questions" in question:
            keyed["questions"] = [self.give_all(inner) for inner in question["questions"]]
        return keyed

    def give_options(self, question, known):
        """The question with keys for its options: those that are known by their words, or new ones."""
        if "options" not in question:
            return question
        keys = {option: known.get(option) or next(self._new) for option in question["options"]}
        return {**question, "option_keys": keys}


def shown(questions):
    """The questions without what is not for others."""
    return [_shown(question) for question in questions]


def _shown(question):
    public = {key: value for key, value in question.items() if key not in HIDDEN}
    if "questions" in question:
        public["questions"] = shown(question["questions"])
    return public
