"""A section as a list of items, before it is written down in any form."""
from dataclasses import dataclass
from itertools import groupby

from cells import EMPTY, Cell, column_side, label_cell, value_cell
from definition import STATISTICS
from statistics_of import statistic
from values import shown


@dataclass
class GroupHeading:
    level: int
    text: str


@dataclass
class Row:
    cells: list
    record: dict


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
    items = group_items(section, records, 0)
    if records:
        items += totals_of(section, records, "all")
    return Outline(section, [column_side(records, column) for column in section.columns], items)


def group_items(section, records, level):
    if level == len(section.groups):
        return [Row(row_cells(section, record), record) for record in records]
    name = section.groups[level]
    items = []
    for value, members in groupby(records, key=lambda record: record.get(name)):
        items += one_group(section, name, value, list(members), level)
    return items


def one_group(section, name, value, members, level):
    heading = GroupHeading(level, "%s: %s" % (name, shown(value)))
    inner = group_items(section, members, level + 1)
    return [heading] + inner + totals_of(section, members, shown(value))


def row_cells(section, record):
    return [value_cell(column, record.get(column.field)) for column in section.columns]


def totals_of(section, records, label):
    """One item with the totals of the records, or none if none are asked for."""
    used = {total.statistic for total in section.totals}
    rows = [total_cells(section, records, label, name) for name in STATISTICS if name in used]
    return [Totals(rows)] if rows else []


def total_cells(section, records, label, name):
    cells = [label_cell("%s %s" % (label, name))]
    for column in section.columns[1:]:
        cells.append(total_cell(section, records, column, name))
    return cells


def total_cell(section, records, column, name) -> Cell:
    if all((total.field, total.statistic) != (column.field, name) for total in section.totals):
        return EMPTY
    value = statistic(name, [record.get(column.field) for record in records])
    return value_cell(column, value, is_count=name == "count")
