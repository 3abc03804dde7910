"""Columns whose values follow from the rows above: running sums and changes."""
from itertools import groupby

from values import is_number


def follow_courses(section, entries):
    """Replaces the values of such columns, run by run."""
    names = section.groups + [row.field for row in section.rows[:-1]]
    for _, run in groupby(entries, key=lambda entry: [entry.fields.get(name) for name in names]):
        run = list(run)
        for index, column in enumerate(section.columns):
            if column.course:
                follow(column.course, index, run)


def follow(course, index, run):
    values = [entry.values[index] for entry in run]
    for entry, value in zip(run, COURSES[course](values)):
        entry.values[index] = value


def running(values):
    """The sum so far, missing until there is a number."""
    so_far = None
    for value in values:
        if is_number(value):
            so_far = value if so_far is None else so_far + value
        yield so_far


def change(values):
    """The difference from the row before."""
    before = None
    for value in values:
        yield value - before if is_number(value) and is_number(before) else None
        before = value


COURSES = {"running": running, "change": change}
