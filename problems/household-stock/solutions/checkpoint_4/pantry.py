"""Keeps track of what is in a pantry."""

import argparse
import sys

import commands
import query
import report
import store
from commands import on_stock
from stock import DEFAULT_PLACE
from values import PantryError


class CommandLine:
    def __init__(self):
        self.parser = argparse.ArgumentParser(prog="pantry", description=__doc__)
        self.commands = self.parser.add_subparsers(dest="command", required=True)

    def command(self, name, run, *positionals):
        sub = self.commands.add_parser(name)
        sub.set_defaults(run=run)
        for positional in positionals:
            sub.add_argument(positional)
        return sub


def build_parser():
    line = CommandLine()
    add_lot_commands(line)
    add_query_commands(line)
    add_rule_commands(line)
    add_history_commands(line)
    return line.parser


def add_lot_commands(line):
    adding = line.command("add", on_stock(commands.add), "name", "quantity")
    adding.add_argument("--best-before")
    adding.add_argument("--place", default=DEFAULT_PLACE)
    line.command("take", on_stock(commands.take), "name", "quantity")
    line.command("import", on_stock(commands.import_lots), "file")
    line.command("export", on_stock(commands.export_lots), "file")
    moving = line.command("move", on_stock(commands.move), "name", "place")
    moving.add_argument("--from", dest="origin")


def add_query_commands(line):
    line.command("list", on_stock(commands.list_stock)).add_argument("--lots", action="store_true")
    finding = line.command("find", on_stock(commands.find))
    finding.add_argument("--count", action="store_true")
    query.add_options(finding)
    reporting = line.command("report", on_stock(commands.print_report))
    reporting.add_argument("--by", choices=report.KEYS, required=True)
    add_format_option(reporting)
    query.add_options(reporting)


def add_format_option(sub):
    sub.add_argument("--format", choices=report.FORMATS, default="text")


def add_rule_commands(line):
    line.command("alias", on_stock(commands.alias), "other", "name")
    line.command("minimum", on_stock(commands.minimum), "name", "quantity")
    add_format_option(line.command("shopping", on_stock(commands.shopping)))
    line.command("expire", on_stock(commands.expire), "date")


def add_history_commands(line):
    line.command("history", commands.show_history)
    for name, run in (("undo", commands.undo), ("redo", commands.redo)):
        line.command(name, run).add_argument("count", nargs="?", default="1")


def main():
    args = build_parser().parse_args()
    try:
        history = store.load()
        lines = args.run(history, args)
        store.save(history)
    except PantryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
