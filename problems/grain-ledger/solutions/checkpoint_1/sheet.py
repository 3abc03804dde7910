"""Command line of the sheets: reads a command and prints what it gives."""

import sys

from evaluator import Evaluator
from sheets import Refused, load
from values import Fault, show

DEEPEST = 20000


class Usage(Exception):
    pass


def check(args):
    if len(args) != 1:
        raise Usage("usage: sheet.py check FILE")
    sheet = load(args[0])
    return 0, ["ok: %d definitions" % len(sheet.cells)]


def evaluate(args):
    if not args:
        raise Usage("usage: sheet.py eval FILE [NAME ...]")
    sheet = load(args[0])
    names = args[1:] or list(sheet.cells)
    for name in names:
        if name not in sheet.cells:
            raise Refused("error: no cell '%s'" % name)
    evaluator = Evaluator(sheet)
    results = [(name, evaluator.cell(name)) for name in names]
    failed = any(isinstance(value, Fault) for _, value in results)
    return 3 if failed else 0, ["%s = %s" % (name, show(value)) for name, value in results]


COMMANDS = {"check": check, "eval": evaluate}


def main(args):
    sys.setrecursionlimit(DEEPEST)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", newline="\n")
    try:
        if not args or args[0] not in COMMANDS:
            raise Usage("usage: sheet.py %s ..." % "|".join(COMMANDS))
        code, lines = COMMANDS[args[0]](args[1:])
    except Usage as error:
        print(error, file=sys.stderr)
        return 2
    except Refused as error:
        print("\n".join(error.lines), file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
