"""Command line of the sheets: reads a command and prints what it gives."""

import sys

import formatter
from evaluator import Evaluator
from reader import load
from sheets import Refused
from values import Fault, show

DEEPEST = 20000


class Usage(Exception):
    pass


def only_file(command, args):
    if len(args) != 1:
        raise Usage("usage: sheet.py %s FILE" % command)
    return load(args[0])


def check(args):
    sheet = only_file("check", args)
    return 0, ["ok: %d definitions" % len(sheet.definitions)]


def format_sheet(args):
    sheet = only_file("format", args)
    return 0, [formatter.line(line) for line in sheet.lines]


def evaluate(args):
    if not args:
        raise Usage("usage: sheet.py eval FILE [NAME ...]")
    sheet = load(args[0])
    names = args[1:] or list(sheet.definitions)
    for name in names:
        if sheet.keys_of(name) is None:
            raise Refused("error: no cell '%s'" % name)
    evaluator = Evaluator(sheet)
    results = [result for name in names for result in labelled_results(sheet, evaluator, name)]
    failed = any(isinstance(value, Fault) for _, value in results)
    return 3 if failed else 0, ["%s = %s" % (label, show(value)) for label, value in results]


def labelled_results(sheet, evaluator, name):
    """The values behind a name, each with what it is called; those of a table row by row."""
    if sheet.cell(name):
        return [(name, evaluator.result(name))]
    table, headings = whole_or_column(sheet, name)
    columns = [(heading.name, evaluator.result(table.key(heading.name))) for heading in headings]
    return [
        ("%s[%d].%s" % (table.name, index + 1, column), entry(result, index))
        for index in range(len(table.rows))
        for column, result in columns
    ]


def whole_or_column(sheet, name):
    table = sheet.table(name)
    if table:
        return table, table.headings
    table, heading = sheet.column(name)
    return table, [heading]


def entry(result, index):
    return result if isinstance(result, Fault) else result.entries[index]


COMMANDS = {"check": check, "eval": evaluate, "format": format_sheet}


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
