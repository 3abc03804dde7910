"""Keeps track of what is in a pantry."""

import argparse
import sys

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
