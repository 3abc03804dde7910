"""Groups of lots, and the ways to print them."""

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


def group(lots, by):
    """One group for each key, in order; `none` sorts behind every month by itself."""
    members = {}
    for lot in lots:
        members.setdefault(KEYS[by](lot), []).append(lot)
    return [summarise(key, members[key]) for key in sorted(members)]


def summarise(key, lots):
    sums = {unit: sum(lot.amount for lot in lots if lot.unit == unit) for unit in BASE_UNITS}
    return Group(key, len(lots), **sums)


def describe(entry):
    sums = [f"{getattr(entry, unit)} {unit}" for unit in BASE_UNITS if getattr(entry, unit)]
    return f"{entry.key}: {', '.join([f'{entry.lots} lots'] + sums)}"


def as_text(groups):
    return "\n".join(describe(entry) for entry in groups) or "no lots found"


def as_csv(groups):
    return table([Group._fields] + groups).rstrip("\n")


def as_json(groups):
    return json.dumps([entry._asdict() for entry in groups])


FORMATS = {"text": as_text, "csv": as_csv, "json": as_json}
