"""Reads a card: which cloths there are, of which threads, by which actions."""

import actions
import paths
import words
from errors import CardError
from names import Names
from patterns import Weft

CARD = "main.card"
THREADS_MOST = 12
ENDS_CLOTH = ("cloth", "let")


class Rule:
    """A cloth, or a pattern of cloths, as it is written."""

    def __init__(self, path, place):
        self.path = path
        self.place = place
        self.threads = []
        self.actions = []


class CardReader:
    """Reads lines; `sources` are the files that patterns can stand for."""

    def __init__(self, sources):
        self.weft = Weft(sources)
        self.names = Names()
        self.rule = None
        self.place = None
        self.kinds = {"cloth": self.begin_cloth, "from": self.add_threads, "do": self.add_action,
                      "let": self.names.let}

    def read(self, name, text):
        for number, line in enumerate(text.split("\n"), 1):
            self.place = "%s:%d" % (name, number)
            try:
                self.read_line(words.split(line))
            except CardError as error:
                raise error.at(self.place)
        self.end_cloth()

    def read_line(self, line):
        if not line:
            return
        kind = line[0].text
        if kind not in self.kinds:
            raise CardError("unknown word '%s'" % kind)
        if kind in ENDS_CLOTH:
            self.end_cloth()
        elif self.rule is None:
            raise CardError("'%s' outside of a cloth" % kind)
        given = self.names.put_in(line[1:])
        if not given:
            raise CardError("too few words")
        self.kinds[kind](given)

    def begin_cloth(self, given):
        if len(given) > 1:
            raise CardError("too many words")
        paths.check_pattern(given[0])
        self.weft.check_free(given[0])
        self.rule = Rule(given[0], self.place)

    def end_cloth(self):
        rule, self.rule = self.rule, None
        if rule is None:
            return
        try:
            self.weft.add(rule)
        except CardError as error:
            raise error.at(rule.place)

    def add_threads(self, given):
        for path in given:
            paths.check_pattern(path)
        self.rule.threads += given
        if len(self.rule.threads) > THREADS_MOST:
            raise CardError("too many threads")

    def add_action(self, given):
        actions.check(given)
        self.rule.actions.append(given)


def load(tree, sources):
    data = tree.read(CARD)
    try:
        text = data.decode()
    except (AttributeError, UnicodeDecodeError):
        raise CardError("cannot read %s" % CARD)
    reader = CardReader(sources)
    reader.read(CARD, text)
    return reader.weft.cloths
