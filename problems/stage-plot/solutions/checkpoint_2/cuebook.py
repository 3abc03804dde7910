"""Settings of a touring theatre: which value each has, and where it comes from."""

import sys

import keys
import values
from faults import Failure, fail, raise_if_any
from layers import Layers
from reader import strength
from resolver import Resolver


class Book:
    """The values of a folder, without faults."""

    def __init__(self, folder):
        self.layers = Layers(folder)
        self.resolver = Resolver(self.layers.stacks)
        raise_if_any(self.resolver.faults)

    def find(self, text):
        key = tuple(text.split("."))
        if key not in self.resolver.values:
            fail("no key " + text)
        return key

    def value(self, key):
        return values.show(self.resolver.values[key])

    def origins(self, key):
        return [str(setting.place) for setting in sorted(self.resolver.says[key], key=strength)]

    def unused(self):
        used = set().union(*self.resolver.says.values())
        return sum(setting not in used for setting in self.layers.settings)


def get(folder, name):
    book = Book(folder)
    return [book.value(book.find(name))]


def origin(folder, name):
    book = Book(folder)
    return book.origins(book.find(name))


def table(folder, group=None):
    book = Book(folder)
    wanted = () if group is None else tuple(group.split("."))
    return [table_line(book, key) for key in sorted(book.layers.stacks) if keys.within(key, wanted)]


def table_line(book, key):
    return "%s = %s # %s" % (keys.show(key), book.value(key), ", ".join(book.origins(key)))


def check(folder):
    book = Book(folder)
    counts = (len(book.resolver.values), len(book.layers.present), book.unused())
    return ["keys: %d, layers: %d, unused: %d" % counts]


COMMANDS = {
    "get": (get, 2, 2),
    "origin": (origin, 2, 2),
    "table": (table, 1, 2),
    "check": (check, 1, 1),
}


def understood(words):
    if not words or words[0] not in COMMANDS or any(w.startswith("--") for w in words):
        return False
    _, least, most = COMMANDS[words[0]]
    return least <= len(words) - 1 <= most


def main(words):
    if not understood(words):
        print("usage: cuebook %s FOLDER [ARGUMENT]" % "|".join(COMMANDS), file=sys.stderr)
        return 2
    try:
        lines = COMMANDS[words[0]][0](*words[1:])
    except Failure as failure:
        print("\n".join(failure.lines), file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    sys.exit(main(sys.argv[1:]))
