"""The words of a line of a definition."""
import re

from faults import Refused
from records import FIELD as NAME
from values import NUMBER, number_of

WORD = re.compile(r'"[^"]*"|[^\s"]+')
EXPRESSION_WORD = re.compile(r'"[^"]*"|[=!<>]+|[-+*/&(),]|[^\s"=!<>*/&(),+-]+')
OF_EXPRESSIONS = ("where", "compute", "note")
FIELD = re.compile(r"[a-z][a-z0-9_]{0,23}(\.[a-z][a-z0-9_]{0,23})?\Z")
WHOLE = re.compile(r"[0-9]{1,6}\Z")


class Words:
    """The words of one line, taken from left to right."""

    def __init__(self, line):
        if line.count('"') % 2:
            raise Refused("quote is not closed")
        self.words = WORD.findall(line)
        if self.words[0] in OF_EXPRESSIONS:
            self.words = EXPRESSION_WORD.findall(line)
        self.at = 0

    def more(self):
        return self.at < len(self.words)

    def next(self):
        """The next word, which stays; an empty one at the end."""
        return self.words[self.at] if self.more() else ""

    def take(self):
        if not self.more():
            raise Refused("line ends too early")
        self.at += 1
        return self.words[self.at - 1]

    def took(self, word):
        """Takes the next word if it is this one."""
        found = self.next() == word
        self.at += found
        return found

    def wrong(self):
        return Refused("%s is not expected" % self.words[self.at - 1])

    def one_of(self, words):
        word = self.take()
        if word not in words:
            raise self.wrong()
        return word

    def matching(self, pattern):
        word = self.take()
        if not pattern.match(word):
            raise self.wrong()
        return word

    def name(self):
        return self.matching(NAME)

    def field(self):
        """A name, or that of a field of joined records."""
        return self.matching(FIELD)

    def text(self):
        word = self.take()
        if not word.startswith('"'):
            raise self.wrong()
        return word[1:-1]

    def number(self):
        return number_of(self.matching(NUMBER))

    def whole(self, name, least, most):
        word = self.take()
        if not (WHOLE.match(word) and least <= int(word) <= most):
            raise Refused("%s must be from %d to %d" % (name, least, most))
        return int(word)

    def end(self):
        if self.more():
            self.take()
            raise self.wrong()
