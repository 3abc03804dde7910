"""What each command does: from arguments to an outcome."""

from typing import List, NamedTuple, Optional

import formats
import query
import report
from stock import parse_lot
from values import parse_count, parse_date, parse_quantity, parse_word


class Outcome(NamedTuple):
    """Lines to print and, where the stock was changed, what the history says of it."""

    lines: List[str]
    change: Optional[str] = None


def named(stock, text):
    """The name that a user's word stands for."""
    return stock.resolve(parse_word(text, "name"))


def add(stock, args):
    lot = stock.add(parse_lot(args.name, args.quantity, args.best_before, args.place))
    what = f"{lot.amount} {lot.unit} of {lot.name}"
    return Outcome([f"added {what}"], f"add {what}")


def take(stock, args):
    name = named(stock, args.name)
    amount, unit = parse_quantity(args.quantity)
    stock.take(name, amount, unit)
    return Outcome([f"took {amount} {unit} of {name}"], f"take {amount} {unit} of {name}")


def list_stock(stock, args):
    if args.lots:
        lines = [lot.describe() for lot in stock.ordered()]
    else:
        lines = [f"{name}: {amount} {unit}" for name, amount, unit in stock.totals()]
    return Outcome(lines or ["nothing in stock"])


def import_lots(stock, args):
    before = len(stock.lots)
    formats.read_lots(args.file, stock.add)
    count = len(stock.lots) - before
    return Outcome([f"lots imported: {count}"], f"import {args.file} ({count} lots)")


def export_lots(stock, args):
    lots = stock.ordered()
    formats.write_lots(lots, args.file)
    return Outcome([f"lots exported: {len(lots)}"])


def move(stock, args):
    name = named(stock, args.name)
    place = parse_word(args.place, "place")
    origin = None if args.origin is None else parse_word(args.origin, "place")
    count = stock.move(name, place, origin)
    return Outcome([f"lots moved: {count}"], f"move {name} to {place} ({count} lots)")


def find(stock, args):
    lots = query.choose(stock.ordered(), args)
    if args.count:
        return Outcome([f"lots: {len(lots)}"])
    return Outcome([lot.describe() for lot in lots] or ["no lots found"])


def print_report(stock, args):
    groups = report.group(query.choose(stock.lots, args), args.by)
    return Outcome([report.FORMATS[args.format](groups, report.Group, "no lots found")])


def alias(stock, args):
    other = parse_word(args.other, "name")
    name = named(stock, args.name)
    stock.alias(other, name)
    return Outcome([f"{other} means {name}"], f"alias {other} to {name}")


def minimum(stock, args):
    name = named(stock, args.name)
    if args.quantity == "none":
        stock.drop_minimum(name)
        return Outcome([f"no minimum for {name}"], f"minimum of {name} none")
    amount, unit = parse_quantity(args.quantity)
    stock.set_minimum(name, amount, unit)
    return Outcome([f"minimum of {name} is {amount} {unit}"], f"minimum of {name} {amount} {unit}")


def shopping(stock, args):
    return Outcome([report.FORMATS[args.format](report.needs(stock), report.Need, "nothing to buy")])


def expire(stock, args):
    date = parse_date(args.date)
    lots = stock.expire(date)
    if not lots:
        return Outcome(["nothing to throw away"])
    lines = [f"threw away {lot.amount} {lot.unit} of {lot.name}, best before {lot.best_before}" for lot in lots]
    return Outcome(lines, f"expire {date} ({len(lots)} lots)")


def on_stock(command):
    """Makes a command on the stock one on the history, which remembers the change."""

    def run(history, args):
        before = history.stock.state()
        outcome = command(history.stock, args)
        if outcome.change:
            history.record(outcome.change, before)
        return outcome.lines

    return run


def show_history(history, args):
    lines = [f"{number}. {change.description}" for number, change in enumerate(history.done, 1)]
    return lines or ["no changes"]


def undo(history, args):
    return [f"undone: {description}" for description in history.undo(parse_count(args.count))]


def redo(history, args):
    return [f"redone: {description}" for description in history.redo(parse_count(args.count))]
