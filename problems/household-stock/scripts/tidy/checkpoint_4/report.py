"""Rows that are computed from the lots, and the ways to print them."""

import json
from typing import NamedTuple

from formats import table
from values import BASE_UNITS

KEYS = {
    "name": lambda lot: lot.name,
    "place": lambda lot: lot.place,
    "month": lambda lot: lot.best_before[:7] if lot.best_before else "none",
}


class Group(NamedTuple):
    key: str
    lots: int
    g: int
    ml: int
    pc: int

    def describe(self):
        sums = [f"{getattr(self, unit)} {unit}" for unit in BASE_UNITS if getattr(self, unit)]
        return f"{self.key}: {', '.join([f'{self.lots} lots'] + sums)}"


class Need(NamedTuple):
    name: str
    amount: int
    unit: str

    def describe(self):
        return f"{self.name}: buy {self.amount} {self.unit}"


def group(lots, by):
    """One group for each key, in order; `none` sorts behind every month by itself."""
    members = {}
    for lot in lots:
        members.setdefault(KEYS[by](lot), []).append(lot)
    return [summarise(key, members[key]) for key in sorted(members)]


def summarise(key, lots):
    sums = {unit: sum(lot.amount for lot in lots if lot.unit == unit) for unit in BASE_UNITS}
    return Group(key, len(lots), **sums)


def needs(stock):
    """What is missing to the minimums, by name."""
    in_stock = {name: amount for name, amount, _ in stock.totals()}
    wanted = [
        Need(name, amount - in_stock.get(name, 0), unit)
        for name, (amount, unit) in sorted(stock.minimums.items())
    ]
    return [need for need in wanted if need.amount > 0]


def as_text(rows, kind, nothing):
    return "\n".join(row.describe() for row in rows) or nothing


def as_csv(rows, kind, nothing):
    return table([kind._fields] + rows).rstrip("\n")


def as_json(rows, kind, nothing):
    return json.dumps([row._asdict() for row in rows])


FORMATS = {"text": as_text, "csv": as_csv, "json": as_json}
