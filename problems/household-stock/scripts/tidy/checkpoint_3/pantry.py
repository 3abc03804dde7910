"""Keeps track of what is in a pantry."""

import argparse
import sys

import formats
import query
import report
import store
from stock import DEFAULT_PLACE, parse_lot
from values import PantryError, parse_quantity, parse_word

EMPTY = "nothing in stock"


def add(stock, args):
    lot = parse_lot(args.name, args.quantity, args.best_before, args.place)
    stock.add(lot)
    return [f"added {lot.amount} {lot.unit} of {lot.name}"]


def take(stock, args):
    name = parse_word(args.name, "name")
    amount, unit = parse_quantity(args.quantity)
    stock.take(name, amount, unit)
    return [f"took {amount} {unit} of {name}"]


def list_stock(stock, args):
    if args.lots:
        lines = [lot.describe() for lot in stock.ordered()]
    else:
        lines = [f"{name}: {amount} {unit}" for name, amount, unit in stock.totals()]
    return lines or [EMPTY]


def import_lots(stock, args):
    before = len(stock.lots)
    formats.read_lots(args.file, stock.add)
    return [f"lots imported: {len(stock.lots) - before}"]


def export_lots(stock, args):
    lots = stock.ordered()
    formats.write_lots(lots, args.file)
    return [f"lots exported: {len(lots)}"]


def move(stock, args):
    name = parse_word(args.name, "name")
    place = parse_word(args.place, "place")
    origin = None if args.origin is None else parse_word(args.origin, "place")
    return [f"lots moved: {stock.move(name, place, origin)}"]


def find(stock, args):
    lots = query.choose(stock.ordered(), args)
    if args.count:
        return [f"lots: {len(lots)}"]
    return [lot.describe() for lot in lots] or ["no lots found"]


def print_report(stock, args):
    groups = report.group(query.choose(stock.lots, args), args.by)
    return [report.FORMATS[args.format](groups)]


def build_parser():
    parser = argparse.ArgumentParser(prog="pantry", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, run, *positionals):
        sub = commands.add_parser(name)
        sub.set_defaults(run=run)
        for positional in positionals:
            sub.add_argument(positional)
        return sub

    adding = command("add", add, "name", "quantity")
    adding.add_argument("--best-before")
    adding.add_argument("--place", default=DEFAULT_PLACE)
    command("take", take, "name", "quantity")
    command("list", list_stock).add_argument("--lots", action="store_true")
    command("import", import_lots, "file")
    command("export", export_lots, "file")
    command("move", move, "name", "place").add_argument("--from", dest="origin")
    finding = command("find", find)
    finding.add_argument("--count", action="store_true")
    query.add_options(finding)
    reporting = command("report", print_report)
    reporting.add_argument("--by", choices=report.KEYS, required=True)
    reporting.add_argument("--format", choices=report.FORMATS, default="text")
    query.add_options(reporting)
    return parser


def main():
    args = build_parser().parse_args()
    try:
        stock = store.load()
        lines = args.run(stock, args)
        store.save(stock)
    except PantryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
