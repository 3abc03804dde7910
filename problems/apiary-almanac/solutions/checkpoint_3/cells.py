"""Cells of tables."""
from dataclasses import dataclass

from values import MOST_DECIMALS, fixed, is_number, plain, shown


@dataclass
class Cell:
    """What a cell shows, and what it says where it is read by programs."""

    text: str
    is_number: bool = False
    exact: str = ""


EMPTY = Cell("")


def label_cell(text):
    return Cell(text)


def value_cell(column, value, is_count=False):
    """The cell of a value in a column; a count has neither unit nor decimals."""
    if value is None:
        return Cell(shown(value) if column.instead is None else column.instead)
    if not is_number(value):
        return Cell(value, exact=value)
    if is_count:
        return Cell(plain(value), True, plain(value))
    return number_cell(column, value / column.factor)


def number_cell(column, number):
    if column.decimals is None:
        return Cell(plain(number), True, plain(number, MOST_DECIMALS))
    text = fixed(number, column.decimals)
    return Cell(text, True, text)


def column_side(column, values):
    """Numbers stand right, all else left, unless the column says where."""
    known = [value for value in values if value is not None]
    if column.side:
        return column.side
    return "right" if known and all(map(is_number, known)) else "left"
