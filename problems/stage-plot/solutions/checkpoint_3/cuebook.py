"""Settings of a touring theatre: which value each has, and where it comes from."""

import sys

import explaining
import keys
import options
from book import Book
from faults import Failure
from options import Misunderstood


def get(book, name):
    return [book.show(book.find(name))]


def origin(book, name):
    return book.origins(book.find(name))


def table(book, group=None):
    wanted = () if group is None else tuple(group.split("."))
    return [table_line(book, key) for key in sorted(book.layers.stacks) if keys.within(key, wanted)]


def table_line(book, key):
    return "%s # %s" % (book.equation(key), ", ".join(book.origins(key)))


def check(book):
    counts = (len(book.values), len(book.layers.present), book.unused())
    return ["keys: %d, layers: %d, unused: %d" % counts]


COMMANDS = {
    "get": (get, 2, 2),
    "origin": (origin, 2, 2),
    "table": (table, 1, 2),
    "check": (check, 1, 1),
    "explain": (explaining.explain, 2, 2),
}


def run(words):
    command = options.read(words, COMMANDS)
    book = Book(command.arguments[0], command.performance)
    return COMMANDS[command.name][0](book, *command.arguments[1:])


def main(words):
    try:
        lines = run(words)
    except Misunderstood:
        print("usage: cuebook %s FOLDER [ARGUMENT]" % "|".join(COMMANDS), file=sys.stderr)
        return 2
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
