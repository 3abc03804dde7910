"""Settings of a touring theatre: which value each has, and where it comes from."""

import sys

import changing
import comparing
import explaining
import keys
import moving
import options
import planning
from book import Book
from faults import Failure
from folder import Folder
from options import Misunderstood, Rule

CHANGE = ("--venue", "--profile", "--night", "--in")


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
    return ["keys: %d, layers: %d, unused: %d" % counts] + book.old_names()


def diff(command, folder):
    old, new = [Book(folder, command.performance, night) for night in command.arguments[1:]]
    return comparing.differences(old, new) or ["no difference"]


def plan(command, folder):
    lines, breaks = planning.plan(command, folder)
    if breaks:
        raise Failure([], lines)
    return lines


def asking(function):
    """A command that asks something of the book."""

    def run(command, folder):
        book = Book(folder, command.performance, command.night)
        return function(book, *command.arguments[1:])

    return run


COMMANDS = {
    "get": Rule(asking(get), 2, 2),
    "origin": Rule(asking(origin), 2, 2),
    "table": Rule(asking(table), 1, 2),
    "check": Rule(asking(check), 1, 1),
    "explain": Rule(asking(explaining.explain), 2, 2),
    "diff": Rule(diff, 3, 3, ("--venue", "--profile")),
    "set": Rule(changing.set_value, 3, 3, CHANGE + ("--lock",)),
    "unset": Rule(changing.unset, 2, 2, CHANGE),
    "move": Rule(moving.move, 3, 3),
    "migrate": Rule(moving.migrate, 1, 1),
    "plan": Rule(plan, 3, 3, CHANGE + ("--lock",)),
}


def run(words):
    command = options.read(words, COMMANDS)
    return COMMANDS[command.name].function(command, Folder(command.arguments[0]))


def main(words):
    try:
        lines = run(words)
    except Misunderstood:
        print("usage: cuebook %s FOLDER [ARGUMENT]" % "|".join(COMMANDS), file=sys.stderr)
        return 2
    except Failure as failure:
        tell(failure.printed, sys.stdout)
        tell(failure.lines, sys.stderr)
        return 1
    tell(lines, sys.stdout)
    return 0


def tell(lines, stream):
    for line in lines:
        print(line, file=stream)


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    sys.exit(main(sys.argv[1:]))
