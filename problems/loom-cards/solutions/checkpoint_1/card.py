"""Reads a card: which cloths there are, of which threads, by which actions."""

import actions
import paths
import words
from errors import CardError

THREADS_MOST = 12


class Cloth:
    def __init__(self, path):
        self.path = path
        self.threads = []
        self.actions = []


class CardReader:
    def __init__(self):
        self.cloths = {}
        self.open_cloth = None
        self.kinds = {"cloth": self.begin_cloth, "from": self.add_threads, "do": self.add_action}

    def read(self, name, text):
        for number, line in enumerate(text.split("\n"), 1):
            try:
                self.read_line(words.split(line))
            except CardError as error:
                raise CardError("%s:%d: %s" % (name, number, error))

    def read_line(self, line):
        if not line:
            return
        kind, given = line[0], line[1:]
        if kind not in self.kinds:
            raise CardError("unknown word '%s'" % kind)
        if kind != "cloth" and self.open_cloth is None:
            raise CardError("'%s' outside of a cloth" % kind)
        if not given:
            raise CardError("too few words")
        self.kinds[kind](given)

    def begin_cloth(self, given):
        if len(given) > 1:
            raise CardError("too many words")
        path = given[0]
        paths.check(path)
        if path in self.cloths:
            raise CardError("'%s' is there already" % path)
        self.open_cloth = self.cloths[path] = Cloth(path)

    def add_threads(self, given):
        for path in given:
            paths.check(path)
        self.open_cloth.threads += given
        if len(self.open_cloth.threads) > THREADS_MOST:
            raise CardError("too many threads")

    def add_action(self, given):
        actions.check(given)
        self.open_cloth.actions.append(given)


def load(tree, name):
    data = tree.read(name)
    try:
        text = data.decode()
    except (AttributeError, UnicodeDecodeError):
        raise CardError("cannot read %s" % name)
    reader = CardReader()
    reader.read(name, text)
    return reader.cloths
