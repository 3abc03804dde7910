"""Command line of the sheets: reads a command and prints what it gives."""

import sys

import changes
import formatter
import report
from evaluator import Evaluator
from explain import explain
from loader import load
from sheets import Refused
from values import has_fault, show

DEEPEST = 20000


class Usage(Exception):
    pass


def usage(text):
    return Usage("usage: sheet.py " + text)


def no_cell(name):
    return Refused("error: no cell '%s'" % name)


def main_sheet(command, args):
    if len(args) != 1:
        raise usage("%s FILE" % command)
    return load(args[0]).main


def check(args):
    sheet = main_sheet("check", args)
    return 0, ["ok: %d definitions" % (len(sheet.definitions) + len(sheet.functions))]


def format_sheet(args):
    sheet = main_sheet("format", args)
    return 0, [formatter.line(line) for line in sheet.lines]


def evaluate(args):
    if not args:
        raise usage("eval FILE [NAME ...]")
    book = load(args[0])
    names = args[1:] or list(book.main.definitions)
    for name in names:
        sheet, local = book.spot(name)
        if not sheet.has(local):
            raise no_cell(name)
    evaluator = Evaluator(book)
    results = [result for name in names for result in report.labelled(evaluator, name)]
    failed = any(has_fault(value) for _, value in results)
    return 3 if failed else 0, ["%s = %s" % (label, show(value)) for label, value in results]


def explain_key(args):
    if len(args) < 2:
        raise usage("explain FILE NAME [NAME=EXPRESSION ...]")
    book = load(args[0])
    key = book.find(args[1])
    if key is None:
        raise no_cell(args[1])
    evaluator = Evaluator(book.replaced(changes.parse_sets(book, args[2:])))
    failed = has_fault(evaluator.result(key))
    return 3 if failed else 0, explain(evaluator, key)


def what_if(args):
    if len(args) < 2:
        raise usage("whatif FILE NAME=EXPRESSION ...")
    book = load(args[0])
    sets = changes.parse_sets(book, args[1:])
    before = Evaluator(book)
    after, stale = changes.reevaluated(before, sets)
    pairs = zip(report.everything(before), report.everything(after))
    lines = [
        "%s: %s -> %s" % (label, show(old), show(new)) for (label, old), (_, new) in pairs if show(old) != show(new)
    ]
    counted = "recomputed: %d of %d" % (len(stale), len(book.all_keys()))
    return 0, (lines or ["no changes"]) + [counted]


COMMANDS = {"check": check, "eval": evaluate, "explain": explain_key, "format": format_sheet, "whatif": what_if}


def main(args):
    sys.setrecursionlimit(DEEPEST)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr.reconfigure(encoding="utf-8", newline="\n")
    try:
        if not args or args[0] not in COMMANDS:
            raise usage("%s ..." % "|".join(COMMANDS))
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
