"""A report as a list of items, before it is written down in any form."""
from dataclasses import dataclass
from itertools import groupby
from typing import Optional

from definition import STATISTICS
from statistics_of import statistic
from values import is_number, shown


@dataclass
class Cell:
    text: str
    is_number: bool = False


@dataclass
class GroupHeading:
    level: int
    text: str


@dataclass
class Row:
    cells: list


@dataclass
class Totals:
    rows: list


def outline(report, records):
    """The items of a report, from its records in their order."""
    items = list(group_items(report, records, 0))
    totals = totals_of(report, records, "all")
    return items + totals if records else []


def group_items(report, records, level):
    if level == len(report.groups):
        return [Row(row_cells(report, record)) for record in records]
    name = report.groups[level]
    items = []
    for value, members in groupby(records, key=lambda record: record.get(name)):
        items += one_group(report, name, value, list(members), level)
    return items


def one_group(report, name, value, members, level):
    heading = GroupHeading(level, "%s: %s" % (name, shown(value)))
    inner = group_items(report, members, level + 1)
    return [heading] + inner + totals_of(report, members, shown(value))


def row_cells(report, record):
    return [cell_of(record.get(column.field)) for column in report.columns]


def cell_of(value):
    return Cell(shown(value), is_number(value))


def totals_of(report, records, label):
    """One item with the totals of the records, or none if none are asked for."""
    used = {total.statistic for total in report.totals}
    rows = [total_cells(report, records, label, name) for name in STATISTICS if name in used]
    return [Totals(rows)] if rows else []


def total_cells(report, records, label, name):
    cells = [Cell("%s %s" % (label, name))]
    for column in report.columns[1:]:
        cells.append(total_cell(report, records, column, name))
    return cells


def total_cell(report, records, column, name):
    if all((total.field, total.statistic) != (column.field, name) for total in report.totals):
        return Cell("")
    return cell_of(statistic(name, [record.get(column.field) for record in records]))


def column_side(records, column) -> Optional[str]:
    """Numbers stand right, all else left, unless the column says where."""
    values = [record.get(column.field) for record in records]
    known = [value for value in values if value is not None]
    if column.side:
        return column.side
    return "right" if known and all(map(is_number, known)) else "left"
