"""A section as a list of items, before it is written down in any form."""
from dataclasses import dataclass, replace
from itertools import groupby

from cells import EMPTY, Cell, column_side, label_cell, value_cell
from checks import holds_total
from choosing import holds
from entries import Entry, entries_of
from model import STATISTICS
from statistics_of import statistic
from values import shown


@dataclass
class GroupHeading:
    level: int
    text: str


@dataclass
class Row:
    cells: list
    entry: Entry


@dataclass
class Totals:
    rows: list


@dataclass
class Outline:
    """A section with its items, and the side of each of its columns."""

    section: object
    sides: list
    items: list


def outline(section, records):
    """The items of a section, from its records in their order."""
    entries = entries_of(section, records)
    items = group_items(section, entries, 0)
    if entries:
        items += totals_of(section, entries, "all")
    sides = [column_side(column, [entry.values[index] for entry in entries])
             for index, column in enumerate(section.columns)]
    return Outline(section, sides, items)


def group_items(section, entries, level):
    if level == len(section.groups):
        return [Row(row_cells(section, entry), entry) for entry in entries]
    name = section.groups[level]
    items = []
    for value, members in groupby(entries, key=lambda entry: entry.fields.get(name)):
        items += one_group(section, name, value, list(members), level)
    return items


def one_group(section, name, value, members, level):
    heading = GroupHeading(level, "%s: %s" % (name, shown(value)))
    inner = group_items(section, members, level + 1)
    return [heading] + inner + totals_of(section, members, shown(value))


def row_cells(section, entry):
    return [replace(value_cell(column, value, column.is_count),
                    notes=notes_of(section, column, entry))
            for column, value in zip(section.columns, entry.values)]


def notes_of(section, column, entry):
    """The texts of the notes that a cell gets, each once."""
    texts = [note.text for note in section.notes if note.field == column.field
             and any(holds(note.condition, record) for record in entry.records)]
    return tuple(dict.fromkeys(texts))


def totals_of(section, entries, label):
    """One item with the totals of the records, or none if none are asked for."""
    records = [record for entry in entries for record in entry.records]
    used = {total.statistic for total in section.totals}
    rows = [total_cells(section, records, "%s %s" % (label, name), name)
            for name in STATISTICS if name in used]
    return [Totals(rows)] if rows else []


def total_cells(section, records, label, name):
    cells = [label_cell(label)]
    for column in section.columns[1:]:
        cells.append(total_cell(section, records, column, name))
    return cells


def total_cell(section, records, column, name) -> Cell:
    if not any(total.statistic == name and holds_total(column, total)
               for total in section.totals):
        return EMPTY
    value = statistic(name, [record.get(column.field) for record in records])
    return value_cell(column, value, is_count=name == "count")
