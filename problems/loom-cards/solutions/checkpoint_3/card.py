"""Reads a card: which cloths there are, of which threads, by which actions."""

import actions
import paths
import words
from errors import CardError
from names import Names

CARD = "main.card"
THREADS_MOST = 12
ENDS_CLOTH = ("cloth", "let", "use")


class Rule:
    """A cloth, or a pattern of cloths, as it is written."""

    def __init__(self, path, place):
        self.path = path
        self.place = place
        self.threads = []
        self.actions = []


class CardReader:
    """Reads lines into a weft; `content` gives what a card holds that is used, woven if need be."""

    def __init__(self, weft, content):
        self.weft = weft
        self.content = content
        self.names = Names()
        self.rule = None
        self.place = None
        self.within = []
        self.kinds = {"cloth": self.begin_cloth, "from": self.add_threads, "do": self.add_action,
                      "let": self.names.let, "use": self.use}

    def read(self, name):
        data = self.content(name)
        if data is None:
            raise CardError("no card '%s'" % name if self.within else "cannot read %s" % name)
        self.within.append(name)
        for number, line in enumerate(decoded(name, data).split("\n"), 1):
            self.read_at("%s:%d" % (name, number), line)
        self.end_cloth()
        self.within.pop()

    def read_at(self, place, line):
        self.place = place
        try:
            self.read_line(words.split(line))
        except CardError as error:
            raise error.at(place)

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

    def use(self, given):
        name = only_word(given)
        paths.check(name)
        if name in self.within:
            raise CardError("'%s' uses itself" % name)
        self.read(name)

    def begin_cloth(self, given):
        path = only_word(given)
        paths.check_pattern(path)
        self.weft.check_free(path)
        self.rule = Rule(path, self.place)

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


def only_word(given):
    if len(given) > 1:
        raise CardError("too many words")
    return given[0]


def decoded(name, data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CardError("cannot read %s" % name)
