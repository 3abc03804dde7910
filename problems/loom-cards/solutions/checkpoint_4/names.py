"""Names for words, and the words in which they are used."""

import itertools
import re

from errors import CardError

NAME = "[a-z][a-z0-9]{0,15}"
WORDS_MOST = 20
REFERENCE = re.compile("{(%s)}" % NAME)


def is_name(name):
    return re.fullmatch(NAME, name) is not None


class Names:
    """What names stand for; those that are set stay so, whatever is let."""

    def __init__(self, settings):
        self.words = dict(settings)
        self.set = frozenset(settings)

    def let(self, given):
        name, words = given[0], given[1:]
        if not is_name(name):
            raise CardError("bad name '%s'" % name)
        if len(words) > WORDS_MOST:
            raise CardError("too many words")
        if name not in self.set:
            self.words[name] = words

    def put_in(self, line):
        """The texts of the words of a line; a word with a name gives one for each word of it."""
        return [text for word in line for text in self.texts(word)]

    def texts(self, word):
        if word.quoted:
            return [word.text]
        pieces = REFERENCE.split(word.text)
        if any("{" in piece for piece in pieces[::2]):
            raise CardError("bad reference in '%s'" % word.text)
        choices = [self.meaning(piece) if n % 2 else [piece] for n, piece in enumerate(pieces)]
        return ["".join(chosen) for chosen in itertools.product(*choices)]

    def meaning(self, name):
        if name not in self.words:
            raise CardError("no name '%s'" % name)
        return self.words[name]
