"""Command line of the sheets: reads a command and prints what it gives."""

import re
import sys

import changes
import formatter
import report
from edits import Edit, Log, cell_edit, describe
from evaluator import DEFAULT_LIMIT, Evaluator
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


def steps_option(args):
    """The limit of steps, and the other arguments."""
    if args[:1] != ["--steps"]:
        return DEFAULT_LIMIT, args
    if len(args) < 2:
        raise usage("COMMAND [--steps N] ...")
    return whole_number(args[1], "steps"), args[2:]


def whole_number(text, what):
    if not re.match(r"0*[1-9][0-9]*\Z", text):
        raise Refused("error: bad %s '%s'" % (what, text))
    return int(text)


def checked_names(book, args):
    names = args or list(book.main.definitions)
    for name in names:
        sheet, local = book.spot(name)
        if not sheet.has(local):
            raise no_cell(name)
    return names


def evaluate(args):
    limit, args = steps_option(args)
    if not args:
        raise usage("eval [--steps N] FILE [NAME ...]")
    book = load(args[0])
    names = checked_names(book, args[1:])
    evaluator = Evaluator(book, limit)
    results = [result for name in names for result in report.labelled(evaluator, name)]
    failed = any(has_fault(value) for _, value in results)
    return 3 if failed else 0, ["%s = %s" % (label, show(value)) for label, value in results]


def cost(args):
    limit, args = steps_option(args)
    if not args:
        raise usage("cost [--steps N] FILE [NAME ...]")
    book = load(args[0])
    names = checked_names(book, args[1:])
    evaluator = Evaluator(book, limit)
    keys = [key for name in names for key in book.keys_of(name)]
    return 0, ["%s: %d steps" % (key, evaluator.outcome(key).steps) for key in keys]


def explain_key(args):
    limit, args = steps_option(args)
    if len(args) < 2:
        raise usage("explain [--steps N] FILE NAME [NAME=EXPRESSION ...]")
    book = load(args[0])
    key = book.find(args[1])
    if key is None:
        raise no_cell(args[1])
    evaluator = Evaluator(book.replaced(changes.parse_sets(book, args[2:])), limit)
    failed = has_fault(evaluator.result(key))
    return 3 if failed else 0, explain(evaluator, key)


def what_if(args):
    limit, args = steps_option(args)
    if len(args) < 2:
        raise usage("whatif [--steps N] FILE NAME=EXPRESSION ...")
    book = load(args[0])
    sets = changes.parse_sets(book, args[1:])
    return 0, changes.reevaluate(Evaluator(book, limit), Evaluator(book.replaced(sets), limit), sets)


def edit(args):
    if len(args) != 2:
        raise usage("edit FILE NAME=EXPRESSION")
    book = load(args[0])
    log = Log.load(args[0])
    return record(book, log, cell_edit(book.main, args[1], len(log.done) + 1))


def remove(args):
    if len(args) != 2:
        raise usage("remove FILE NAME")
    book = load(args[0])
    if not book.main.cell(args[1]):
        raise no_cell(args[1])
    return record(book, Log.load(args[0]), Edit(args[1], None))


def record(book, log, new):
    return change(book, log.extended(new), "edited", [new])


def change(book, log, word, moved):
    """Keeps a log, and tells what it changes in the book."""
    after = load(log.path, log)
    log.save()
    told = ["%s: %s" % (word, describe(entry)) for entry in moved]
    names = {entry.name for entry in moved}
    return 0, told + changes.reevaluate(Evaluator(book), Evaluator(after), names)


def undo(args):
    return move("undo", Log.undo, args)


def redo(args):
    return move("redo", Log.redo, args)


def move(word, act, args):
    if not 1 <= len(args) <= 2:
        raise usage("%s FILE [COUNT]" % word)
    count = whole_number(args[1], "count") if len(args) == 2 else 1
    book = load(args[0])
    log = Log.load(args[0])
    moved = act(log, count)
    return change(book, log, word + "ne", moved)


def list_edits(args):
    if len(args) != 1:
        raise usage("edits FILE")
    load(args[0])
    lines = ["%d. %s" % (number, describe(entry)) for number, entry in enumerate(Log.load(args[0]).done, 1)]
    return 0, lines or ["no edits"]


COMMANDS = {
    "check": check,
    "cost": cost,
    "edit": edit,
    "edits": list_edits,
    "eval": evaluate,
    "explain": explain_key,
    "format": format_sheet,
    "redo": redo,
    "remove": remove,
    "undo": undo,
    "whatif": what_if,
}


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
